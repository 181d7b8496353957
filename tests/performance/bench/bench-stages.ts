import { peerLines } from "./peers"
import { aimLines, type Reached } from "./targets"

/** What a stage has measured: lines to print, and figures that are compared with the targets. */
export type Measured = { readonly lines: readonly string[]; readonly reached: Reached }

export type BenchStage = { readonly name: string; readonly measure: () => Promise<Measured> }

/** `failed`: names of the stages that could not be measured. */
export type BenchOutcome = { readonly reached: Reached; readonly failed: readonly string[] }

/**
 * Runs one stage after the other and prints each as soon as it is measured, then all figures beside their targets. A
 * stage that fails costs its own figures and no others.
 */
export async function runBenchStages(
  stages: readonly BenchStage[],
  print: (text: string) => void,
): Promise<BenchOutcome> {
  const reached: Reached[] = []
  const failed: string[] = []
  for (const stage of stages) {
    const figures = await measureAndPrint(stage, print)
    if (figures) reached.push(figures)
    else failed.push(stage.name)
  }
  const all: Reached = Object.assign({}, ...reached)
  print(["Aims", ...aimLines(all), "", ...peerLines()].join("\n"))
  if (failed.length > 0) print(`\nNot measured: ${failed.join(", ")}. The reasons are above.`)
  return { reached: all, failed }
}

/** Null when the stage fails, after its reason has been printed. */
async function measureAndPrint(
  { name, measure }: BenchStage,
  print: (text: string) => void,
): Promise<Reached | null> {
  try {
    const { lines, reached } = await measure()
    if (lines.length > 0) print(`${lines.join("\n")}\n`)
    return reached
  } catch (error) {
    print(`Not measured: ${name}\n${error instanceof Error ? error.stack : String(error)}\n`)
    return null
  }
}
