import { readFileSync } from "node:fs"
import { expect, test } from "vitest"

const [decided = ""] = readFileSync("docs/decisions.md", "utf8").split("## Runtime packages")
const decisions = decided.split(/^- /m).slice(1)

test("every decision has the date on which it was taken", () => {
  expect(decisions.length).toBeGreaterThan(40)
  // "- **A refund** (2026-11-21, by its own amount since 2026-11-22) is …", or before the colon or the full stop of a title.
  const undated = decisions.filter((text) => !/^\*\*[^*]+\*\*[^.]*?\([^)]*\d{4}-\d\d-\d\d/.test(text))
  expect(undated.map((text) => text.slice(0, 60))).toEqual([])
})

test("every decision names the alternatives that were considered", () => {
  const without = decisions.filter((text) => !/\bAlternatives:\s/.test(text))
  expect(without.map((text) => text.slice(0, 60))).toEqual([])
})
