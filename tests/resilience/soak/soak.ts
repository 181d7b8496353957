import { crashes } from "./crashes"
import { faults } from "./faults"
import { type Part, runPart, type StageStats } from "./soak-stage"

/** Run sequentially; each part has its share of the time. */
const parts: readonly { readonly part: Part; readonly share: number }[] = [
  { part: faults, share: 0.6 },
  { part: crashes, share: 0.4 },
]

type Settings = { readonly minutes: number; readonly seed: number; readonly log: (line: string) => void }

/** Runs all parts within the given minutes. Returns "broken" on a violation or if nothing was run. */
export async function soak({ minutes, seed, log }: Settings): Promise<"sound" | "broken"> {
  const all: StageStats[] = []
  for (const { part, share } of parts) {
    const figures = await runPart(part, { until: Date.now() + minutes * share * 60_000, seed })
    all.push(figures)
    for (const violation of figures.violations) log(`  ✗ ${violation}`)
    log(`${part.name}: ${lineOf([figures])}`)
  }
  log(`\nseed ${seed}: ${lineOf(all)}`)
  const isIdle = all.some(({ tried }) => Object.values(tried).includes(0))
  return isIdle || all.some(({ violations }) => violations.length > 0) ? "broken" : "sound"
}

function lineOf(all: readonly StageStats[]): string {
  const names = [...new Set(all.flatMap(({ tried }) => Object.keys(tried)))]
  const sum = (numbers: readonly number[]) => numbers.reduce((total, it) => total + it, 0)
  const counts = names.map((name) => `${name}: ${sum(all.map(({ tried }) => tried[name] ?? 0))}`)
  return [...counts, `violations: ${sum(all.map(({ violations }) => violations.length))}`].join(", ")
}
