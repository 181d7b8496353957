import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test, vi } from "vitest"
import { type BenchStage, runBenchStages } from "./bench-stages"
import { openMeasuredStages } from "./measured-stages"

const speed: BenchStage = {
  name: "speed",
  measure: async () => ({ lines: ["GET /checkout/ 4000 per second"], reached: { idleMemory: 101 } }),
}
const start: BenchStage = { name: "start", measure: async () => ({ lines: [], reached: { ready: 0.5 } }) }
const withoutBrowser: BenchStage = {
  name: "phone",
  measure: () => Promise.reject(new Error("Chromium is gone")),
}

async function printed(stages: readonly BenchStage[]) {
  const lines: string[] = []
  const outcome = await runBenchStages(stages, (text) => lines.push(text))
  return { outcome, text: lines.join("\n") }
}

test("figures measured before a stage fails are printed, and later stages run", async () => {
  const { outcome, text } = await printed([speed, withoutBrowser, start])
  expect(outcome).toEqual({ reached: { idleMemory: 101, ready: 0.5 }, failed: ["phone"] })
  expect(text).toContain("GET /checkout/ 4000 per second")
  expect(text).toContain("Chromium is gone")
  expect(text).toMatch(/reached {2}memory of an idle instance: 101 MB/)
  expect(text).toMatch(/not measured {2}checkout on a phone, largest contentful paint/)
  expect(text).toMatch(/Not measured: phone\. The reasons are above\.$/)
})

test("a stage is printed as soon as it is measured", async () => {
  const texts: string[] = []
  const pollingStage: BenchStage = {
    name: "asking",
    measure: async () => ({ lines: [`${texts.length} printed before`], reached: {} }),
  }
  await runBenchStages([speed, pollingStage], (text) => texts.push(text))
  expect(texts[1]).toBe("1 printed before\n")
})

test("a run without failures lists no failed stages", async () => {
  const { outcome, text } = await printed([speed, start])
  expect(outcome.failed).toEqual([])
  expect(text).not.toContain("Not measured")
})

function fileOfFigures(): string {
  const folder = mkdtempSync(join(tmpdir(), "boxoffice-stages-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, "bench", "stages.json")
}

test("a resumed run measures only what has not been measured of the same build", async () => {
  const file = fileOfFigures()
  const measure = vi.fn(speed.measure)
  const stages = [{ name: "speed", measure }, withoutBrowser]
  await runBenchStages(stages, () => {}, openMeasuredStages({ file, of: "build one", resume: false }))

  const texts: string[] = []
  const resumed = openMeasuredStages({ file, of: "build one", resume: true })
  const outcome = await runBenchStages([...stages, start], (text) => texts.push(text), resumed)
  expect(measure).toHaveBeenCalledTimes(1)
  expect(texts.join("\n")).toContain("Measured before: speed\nGET /checkout/ 4000 per second")
  expect(outcome).toEqual({ reached: { idleMemory: 101, ready: 0.5 }, failed: ["phone"] })
})

test.each([
  ["of another build", "build two", true],
  ["that is not resumed", "build one", false],
])("a run %s measures everything anew", async (_, of, resume) => {
  const file = fileOfFigures()
  const measure = vi.fn(speed.measure)
  const stages = [{ name: "speed", measure }]
  await runBenchStages(stages, () => {}, openMeasuredStages({ file, of: "build one", resume: false }))
  await runBenchStages(stages, () => {}, openMeasuredStages({ file, of, resume }))
  expect(measure).toHaveBeenCalledTimes(2)
})
