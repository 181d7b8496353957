import { expect, test } from "vitest"
import { piecesOf } from "./pieces-of-text"

test("a long text comes in pieces that end with a line and are the text again", () => {
  const text = "#EXTINF:-1,Один\n{host}/{username}/1\n".repeat(30_000)
  const pieces = [...piecesOf(text)]
  expect(pieces.length).toBeGreaterThan(3)
  expect(pieces.every((piece) => piece.endsWith("\n"))).toBe(true)
  expect(pieces.join("")).toBe(text)
})

test.each(["", "one line", "\n"])("%j is one piece or none", (text) => {
  expect([...piecesOf(text)].join("")).toBe(text)
})
