import { globSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { mutants } from "./mutants"

test("there are at least forty mutants, each of another rule", () => {
  expect(mutants.length).toBeGreaterThanOrEqual(40)
  expect(new Set(mutants.map(({ rule }) => rule)).size).toBe(mutants.length)
})

test.each(mutants)("the line that breaks “$rule” exists exactly once", ({ file, find, replace }) => {
  expect(readFileSync(file, "utf8").split(find)).toHaveLength(2)
  expect(replace).not.toBe(find)
})

test.each(mutants)("tests cover the rule “$rule”", ({ tests }) => {
  const missing = tests.filter((place) => !testFiles.some((file) => file.includes(place)))
  expect(tests).not.toEqual([])
  expect(missing).toEqual([])
})

const testFiles = globSync(["app/**/*.test.{ts,tsx}", "tests/**/*.test.ts"])
