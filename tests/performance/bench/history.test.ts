import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { appendRun, readHistory, regressions } from "./history"

const isFaster = { knownVisitorPerRender: 1 }
const isSmaller = { idleMemory: 100 }

test.each([
  ["as fast as recorded", isFaster, { knownVisitorPerRender: 1 }, false],
  ["14 % slower", isFaster, { knownVisitorPerRender: 0.86 }, false],
  ["16 % slower", isFaster, { knownVisitorPerRender: 0.84 }, true],
  ["faster", isFaster, { knownVisitorPerRender: 2 }, false],
  ["14 % larger", isSmaller, { idleMemory: 114 }, false],
  ["16 % larger", isSmaller, { idleMemory: 116 }, true],
  ["smaller", isSmaller, { idleMemory: 50 }, false],
  ["not measured this time", isFaster, { knownVisitorPerRender: null }, false],
  ["not known from the last time", {}, { knownVisitorPerRender: 0.1 }, false],
  ["spoilt by a busy machine alone", { ready: 0.5 }, { ready: 5 }, false],
] as const)("a run that is %s is judged accordingly", (_, before, now, isWorse) => {
  expect(regressions(before, now).length > 0).toBe(isWorse)
})

test("a regression is reported with both figures", () => {
  expect(
    regressions({ knownVisitorPerRouter: 4, idleMemory: 120 }, { knownVisitorPerRouter: 3, idleMemory: 120 }),
  ).toEqual(["known visitor's checkout, times React Router's server: 3, was 4"])
})

test("a recorded run is read back without the figures that were not measured", () => {
  const file = historyFile()
  appendRun(file, { ...run, reached: { knownVisitorPerRender: 0.51234, twoOfOne: null } })
  expect(readHistory(file)).toEqual([{ ...run, reached: { knownVisitorPerRender: 0.512 } }])
})

test("the history keeps the last fifty runs", () => {
  const file = historyFile()
  for (let nth = 0; nth < 52; nth++) appendRun(file, { ...run, reached: { requests: nth } })
  const figures = readHistory(file).map(({ reached }) => reached.requests)
  expect([figures.length, figures[0], figures.at(-1)]).toEqual([50, 2, 51])
})

test("without a recorded run there is no comparison", () => {
  expect(readHistory(historyFile())).toEqual([])
})

test.each(["{}", '[{"date":"yesterday","commit":"1","reached":{}}]', '[{"reached":{"speed":1}}]'])(
  "a history of %s is rejected",
  (text) => {
    const file = historyFile()
    writeFileSync(file, text)
    expect(() => readHistory(file)).toThrow()
  },
)

const run = { date: "2026-11-21", commit: "0123abc" }

function historyFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "boxoffice-bench-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, "history.json")
}
