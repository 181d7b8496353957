import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { z } from "zod"
import { type AimName, aimNames, aims, type Reached, rounded } from "./targets"

const MAX_ENTRIES = 50
/** Relative deviation that load on the machine may cause. */
const TOLERANCE = 0.15

const Entry = z.object({
  date: z.iso.date(),
  commit: z.string(),
  reached: z.partialRecord(z.enum(aimNames), z.number()),
})
type Entry = z.infer<typeof Entry>

/** Reads the recorded runs, oldest first. Throws if the file has another format. */
export function readHistory(file: string): readonly Entry[] {
  return existsSync(file) ? z.array(Entry).parse(JSON.parse(readFileSync(file, "utf8"))) : []
}

/** Appends a run and drops the oldest above the limit. */
export function appendRun(file: string, run: { date: string; commit: string; reached: Reached }): void {
  const measured = Object.entries(run.reached).flatMap(([name, value]) =>
    value === null ? [] : [[name, rounded(value)] as const],
  )
  const entry = Entry.parse({ ...run, reached: Object.fromEntries(measured) })
  const entries = [...readHistory(file), entry].slice(-MAX_ENTRIES)
  writeFileSync(file, `${JSON.stringify(entries, null, 2)}\n`)
}

/**
 * Describes each figure that is worse by more than the tolerance. Figures that one of the runs lacks are not compared.
 */
export function regressions(before: Reached, now: Reached): string[] {
  return aimNames.flatMap((name) => {
    const [was, is] = [before[name] ?? null, now[name] ?? null]
    if (was === null || is === null || !aims[name].isGuarded || !isWorse(name, was, is)) return []
    return [`${aims[name].what}: ${rounded(is)}, was ${rounded(was)}`]
  })
}

function isWorse(name: AimName, was: number, is: number): boolean {
  return aims[name].wants === "least" ? is < was * (1 - TOLERANCE) : is > was * (1 + TOLERANCE)
}
