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

/** Runs a part. A part that cannot go on, such as one whose shop does not start, is a violation like any other. */
export async function runPart(part: Part, stageRun: StageRun): Promise<StageStats> {
  try {
    return await part.run(stageRun)
  } catch (error) {
    return { tried: {}, violations: [`the part "${part.name}" ended early: ${error}`] }
  }
}
