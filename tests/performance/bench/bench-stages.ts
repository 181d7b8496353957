import { peerLines } from "./peers"
import { aimLines, type Reached } from "./targets"

/** Result of a stage: lines to print, and figures to compare with the targets. */
export type Measured = { readonly lines: readonly string[]; readonly reached: Reached }

export type BenchStage = { readonly name: string; readonly measure: () => Promise<Measured> }

/** Figures of the stages that an interrupted run has measured. */
export type MeasuredStages = {
  /** Null if the stage has not been measured. */
  read(name: string): Measured | null
  add(name: string, measured: Measured): void
}

const nothingKept: MeasuredStages = { read: () => null, add: () => {} }

/** `failed`: names of the stages that could not be measured. */
export type BenchOutcome = { readonly reached: Reached; readonly failed: readonly string[] }

/**
 * Runs the stages sequentially, prints each result immediately, and then all figures with their targets. A failed stage
 * loses its own figures only. A stage whose figures are kept is not measured again.
 */
export async function runBenchStages(
  stages: readonly BenchStage[],
  print: (text: string) => void,
  kept: MeasuredStages = nothingKept,
): Promise<BenchOutcome> {
  const reached: Reached[] = []
  const failed: string[] = []
  for (const stage of stages) {
    const figures = await measureAndPrint(stage, print, kept)
    if (figures) reached.push(figures)
    else failed.push(stage.name)
  }
  const all: Reached = Object.assign({}, ...reached)
  print(["Aims", ...aimLines(all), "", ...peerLines()].join("\n"))
  if (failed.length > 0) print(`\nNot measured: ${failed.join(", ")}. The reasons are above.`)
  return { reached: all, failed }
}

/** Returns null if the stage fails, after printing the reason. */
async function measureAndPrint(
  { name, measure }: BenchStage,
  print: (text: string) => void,
  kept: MeasuredStages,
): Promise<Reached | null> {
  try {
    const before = kept.read(name)
    if (before) print(`Measured before: ${name}`)
    const { lines, reached } = before ?? (await measure())
    if (!before) kept.add(name, { lines, reached })
    if (lines.length > 0) print(`${lines.join("\n")}\n`)
    return reached
  } catch (error) {
    print(`Not measured: ${name}\n${error instanceof Error ? error.stack : String(error)}\n`)
    return null
  }
}
