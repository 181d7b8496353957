import { expect, test } from "vitest"
import { newId } from "./new-id.server"

test("an id never begins like an option of a command", () => {
  const ids = Array.from({ length: 5_000 }, newId)
  expect(ids.filter((id) => !/^[A-Za-z0-9_][\w-]{21}$/.test(id))).toEqual([])
  expect(new Set(ids).size).toBe(ids.length)
})
