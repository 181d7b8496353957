import { execFileSync, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { currentDocuments } from "./shell-blocks"

const [, section = ""] = readFileSync("docs/performance-runs.md", "utf8")
  .split(/^## /m)
  .filter((it, at) => at === 0 || it.startsWith("Runs"))
const rows = [...section.matchAll(/^\| ([a-z]+(?:-\w+)?) \| (.+) \| (.+) \| (.+) \| .* \|$/gm)]

test("every run of docs/performance-runs.md has a command, a commit and a date", () => {
  expect(rows.length).toBeGreaterThan(8)
  for (const [, name, command, commit, date] of rows) {
    expect(command, name).not.toBe("")
    expect(commit, name).toMatch(/`[0-9a-f]{8}`/)
    expect(date, name).toMatch(/^\d{4}-\d\d-\d\d/)
  }
})

test("every commit of a run is in the history", (context) => {
  const isShallow = execFileSync("git", ["rev-parse", "--is-shallow-repository"], { encoding: "utf8" }).trim()
  context.skip(isShallow === "true", "the clone has no history")
  const commits = rows.map(([, , , commit = ""]) => /[0-9a-f]{8}/.exec(commit)?.[0] ?? "")
  const unknown = commits.filter(
    (commit) => spawnSync("git", ["cat-file", "-e", `${commit}^{commit}`]).status !== 0,
  )
  expect(unknown).toEqual([])
})

test.each(currentDocuments)("every run that %s names is one of docs/performance-runs.md", (file) => {
  const named = [...readFileSync(file, "utf8").matchAll(/[([]run ([a-z]+(?:-\w+)?)\b/g)].map(
    ([, name = ""]) => name,
  )
  const known = rows.map(([, name = ""]) => name)
  expect(named.filter((name) => !known.includes(name))).toEqual([])
})
