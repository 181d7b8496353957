/** A part of the soak: it tries things until its time is up, and tells how many. */
export type Part = {
  readonly name: string
  run(stageRun: StageRun): Promise<StageStats>
}

export type StageRun = {
  /** By the machine's clock, in milliseconds. */
  readonly until: number
  /** So that a failure can be found again. */
  readonly seed: number
}

/** `tried`: numbers by what they count, for the last line of the run. */
export type StageStats = {
  readonly tried: Readonly<Record<string, number>>
  readonly violations: readonly string[]
}
