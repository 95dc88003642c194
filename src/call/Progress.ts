/**
 * What a body says while it runs, for those who watch.
 *
 * In:  `CallInfo.progress` of a tool.      Out: `Progress`, on `Agent.progress`.
 * Order: nothing comes after the body has ended.
 * Not here: the log and the history, which never hear of it (docs/adr/0015).
 */
export interface Progress {
  readonly turn: number
  readonly step: number
  readonly callId: string
  readonly tool: string
  readonly text: string
}
