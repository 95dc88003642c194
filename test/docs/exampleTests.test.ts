/** The examples that are tests of their own pass as tests. */
await import("../../docs/examples/07-tool.test.ts")
await import("../../docs/examples/10-agent.test.ts")
await import("../../docs/examples/29-own-store.test.ts")
await import("../../docs/examples/33-harness.test.ts")
await import("../../docs/examples/35-properties.test.ts")
await import("../../docs/examples/37-own-model.test.ts")
await import("../../docs/examples/39-explore.test.ts")
await import("../../docs/examples/41-own-rule.test.ts")
