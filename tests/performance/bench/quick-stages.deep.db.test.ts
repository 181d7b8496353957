import { expect, test } from "vitest"
import { findProgram } from "../../../scripts/setup/find-program.mjs"
import { startShop } from "../../support/server/server-process"
import { measureFirstPaint, paintLines } from "./first-paint"
import { measureInteractions } from "./interactions"
import { latencyUnderLoad } from "./latency"
import { memoryUnderLoad } from "./memory-load"
import { startAndRestart } from "./rolling-restart"

// The shortest form of each stage: how well the shop does is not asked for, because other programs run meanwhile.

test("the latency under load has a figure of each kind, and pieces of work with names", {
  timeout: 400_000,
}, async () => {
  const lines: string[] = []
  const reached = await latencyUnderLoad({ quick: true, print: (line) => lines.push(line) })
  for (const figure of Object.values(reached)) expect(figure).toBeGreaterThan(0)
  expect(lines.join("\n")).toMatch(
    /page: .*\ncallback: .*\nhealth: .*\n.*requests late: .*\nevent loop: delay/,
  )
  expect(lines.at(-1)).toMatch(/^ {2}\d+\.\d ms: \S+/)
})

test("the memory under load is told by kind on both engines", { timeout: 600_000 }, async () => {
  const lines: string[] = []
  const { idleMemory, loadedMemory } = await memoryUnderLoad({
    quick: true,
    minutes: 0.2,
    print: (line) => lines.push(line),
  })
  expect(idleMemory).toBeGreaterThan(50)
  expect(loadedMemory).toBeGreaterThan(50)
  for (const engine of ["SQLite", "PostgreSQL"])
    expect(lines.join("\n")).toMatch(new RegExp(`${engine}: \\d+ visits .* \\d+ failed`))
  expect(lines.join("\n")).toMatch(/old_space: .* MB, of it in use/)
})

test("a restart of two instances under load has a count of the requests that it loses", {
  timeout: 400_000,
}, async () => {
  const { restartLoses, firstRequest } = await startAndRestart({ quick: true, print: () => {} })
  expect(restartLoses).toBeGreaterThanOrEqual(0)
  expect(firstRequest).toBeGreaterThan(0)
})

test.runIf(findProgram("chromium"))(
  "each interaction on a slowed phone has a time",
  { timeout: 400_000 },
  async () => {
    const shop = await startShop()
    try {
      const { lines, interaction } = await measureInteractions(shop, 1)
      expect(lines).toHaveLength(6)
      expect(interaction).toBeGreaterThan(0)
    } finally {
      await shop.stop()
    }
  },
)

test.runIf(findProgram("chromium"))(
  "the largest paint of a page behind a slow link comes after the connection and the request",
  { timeout: 400_000 },
  async () => {
    const shop = await startShop()
    try {
      const pages = [{ path: "/checkout/", cookie: "", isPublic: true }]
      const [painted] = await measureFirstPaint(shop, pages, 1)
      const [seconds = 0] = painted?.paints ?? []
      expect(seconds).toBeGreaterThan(0.3)
      expect(paintLines(painted ? [painted] : [])).toHaveLength(2)
    } finally {
      await shop.stop()
    }
  },
)
