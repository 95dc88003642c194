/** The examples that are tests of their own pass as tests. */
import "../../docs/examples/07-tool.test.ts"
import "../../docs/examples/10-agent.test.ts"
