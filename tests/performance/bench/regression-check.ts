import { spawnSync } from "node:child_process"
import { inProject, projectFolder } from "../../../scripts/setup/project-root.mjs"
import { appendRun, readHistory, regressions } from "./history"
import type { Reached } from "./targets"

const HISTORY = inProject("docs", "bench-history.json")

/** Compares a run with the last recorded one; code 1 if a figure is worse. */
export function check(reached: Reached): { code: 0 | 1; text: string } {
  const last = readHistory(HISTORY).at(-1)
  if (!last) return { code: 0, text: "No run has been recorded to compare with" }
  const worse = regressions(last.reached, reached)
  const before = `as against ${last.date} (${last.commit})`
  if (worse.length === 0) return { code: 0, text: `Nothing is worse by more than 15 % ${before}` }
  return { code: 1, text: [`Worse by more than 15 % ${before}:`, ...worse.map((it) => `  ${it}`)].join("\n") }
}

/** Records a run for later comparisons. */
export function appendToHistory(reached: Reached): string {
  const { stdout } = spawnSync("git", ["rev-parse", "--short", "HEAD"], {
    cwd: projectFolder,
    encoding: "utf8",
  })
  const date = new Date().toISOString().slice(0, 10)
  appendRun(HISTORY, { date, commit: (stdout ?? "").trim(), reached })
  return "Recorded in docs/bench-history.json"
}
