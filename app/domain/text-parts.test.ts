import { expect, test } from "vitest"
import { textParts } from "./text-parts"

test("a long text comes in pieces that end with a line and are the text again", () => {
  const text = "#EXTINF:-1,Один\n{host}/{username}/1\n".repeat(30_000)
  const parts = [...textParts(text)]
  expect(parts.length).toBeGreaterThan(3)
  expect(parts.every((part) => part.endsWith("\n"))).toBe(true)
  expect(parts.join("")).toBe(text)
})

test.each(["", "one line", "\n"])("%j is one piece or none", (text) => {
  expect([...textParts(text)].join("")).toBe(text)
})
