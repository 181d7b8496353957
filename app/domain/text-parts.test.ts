import { expect, test } from "vitest"
import { textParts } from "./text-parts"

test("splits a long text at line ends without losing any of it", () => {
  const text = "#EXTINF:-1,Один\n{host}/{username}/1\n".repeat(30_000)
  const parts = [...textParts(text)]
  expect(parts.length).toBeGreaterThan(3)
  expect(parts.every((part) => part.endsWith("\n"))).toBe(true)
  expect(parts.join("")).toBe(text)
})

test.each(["", "one line", "\n"])("yields at most one part for %j", (text) => {
  expect([...textParts(text)].join("")).toBe(text)
})
