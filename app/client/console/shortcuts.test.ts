import { expect, test } from "vitest"
import { keyReader } from "./shortcuts"

/** What a row of keys, each with its time in milliseconds, is read as. */
function read(...typed: readonly (readonly [key: string, timeStamp: number])[]): readonly string[] {
  const reader = keyReader()
  return typed.map(([key, timeStamp]) => reader({ key, timeStamp }))
}

test("a key after a g is one shortcut with it, and alone again after that", () => {
  expect(read(["g", 0], ["o", 400], ["o", 800])).toEqual(["g", "go", "o"])
})

test("a g that was typed long ago is forgotten", () => {
  expect(read(["g", 0], ["n", 1_500])).toEqual(["g", "n"])
})

test("two g are no beginning of a third shortcut", () => {
  expect(read(["g", 0], ["g", 100], ["o", 200])).toEqual(["g", "gg", "o"])
})
