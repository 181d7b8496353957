/** A part of the soak test: runs cases until its time is up, and counts them. */
export type Part = {
  readonly name: string
  run(stageRun: StageRun): Promise<StageStats>
}

export type StageRun = {
  /** By the machine's clock, in milliseconds. */
  readonly until: number
  /** Makes a failure reproducible. */
  readonly seed: number
}

/** `tried`: counters by name, for the last line of the run. */
export type StageStats = {
  readonly tried: Readonly<Record<string, number>>
  readonly violations: readonly string[]
}
