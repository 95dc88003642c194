/** The examples that are tests of their own pass as tests. */
await import("../../docs/examples/07-tool.test.ts")
await import("../../docs/examples/10-agent.test.ts")
await import("../../docs/examples/29-own-store.test.ts")
