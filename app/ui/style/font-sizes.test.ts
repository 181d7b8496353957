import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"

const folder = import.meta.dirname

/** Drawn to a scale, not read: the axes of a chart and the sign on a coin. */
const drawn = ["font-size: 10px", "font-size: 12px", "font-size: 15px", "font: 700 15px / 1 sans-serif"]

test("letters have sizes that grow with the browser's letter size", () => {
  const sheets = readdirSync(folder).filter((name) => name.endsWith(".css"))
  const rules = sheets.flatMap((name) => readFileSync(join(folder, name), "utf8").split(";"))
  const sizes = rules.flatMap((rule) => /\bfont(?:-size)?:[^{}]*$/.exec(rule)?.[0] ?? [])
  expect(sizes.length).toBeGreaterThan(60)
  expect(sizes.filter((it) => /\dpx/.test(it) && !drawn.includes(it))).toEqual([])
})
