import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { sourceFiles } from "./source-modules"

/** A class that extends Error or one of ours, up to its `name`. */
const NAMED = /class (\w+) extends \w+ \{\s*(?:\/\/.*\s*)?override name = "(\w+)"/g

function namedErrors() {
  return sourceFiles("app").flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(NAMED)].map(([, type, name]) => ({ file, type, name })),
  )
}

test("an error's name, as logs show it, is the name of its class", () => {
  const errors = namedErrors()
  expect(errors.length).toBeGreaterThan(15)
  expect(errors.filter(({ type, name }) => type !== name)).toEqual([])
})
