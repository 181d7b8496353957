import { describe, expect, test } from "vitest"
import { decodeText, decodeTexts, matchesText } from "./html-entities"

describe("decodeText", () => {
  test.each([
    ["a&amp;b", "a&b"],
    ["o&#039;brien@example.test", "o'brien@example.test"],
    ["&lt;b&gt; &quot;x&quot; &#39;y&#x27;", "<b> \"x\" 'y'"],
    ["caf&eacute;", "café"],
  ])("decodes the encoded text %s", (encoded, plain) => {
    expect(decodeText(encoded)).toBe(plain)
  })

  test.each(["&amp;amp;", "&amp;lt;b&amp;gt;", "&amp;#039;"])(
    "removes one level of encoding from %s",
    (encoded) => {
      expect(decodeText(encoded)).toBe(encoded.replace("&amp;", "&").replace("&amp;gt;", "&gt;"))
    },
  )

  test.each([
    "a&b",
    "R&B &amp; soul",
    "<i>&amp;</i>",
    "a && b;",
    "&copy 2026",
    "&",
    "",
    "o'brien",
    '50 % "off"',
  ])("leaves the plain text %s unchanged", (plain) => {
    expect(decodeText(plain)).toBe(plain)
  })
})

test("decodeTexts decodes every string in a response at any depth, and nothing else", () => {
  const response = { a: ["&amp;", { "b&amp;": "&lt;" }], n: 1, no: null, yes: true }
  expect(decodeTexts(response)).toEqual({ a: ["&", { "b&amp;": "<" }], n: 1, no: null, yes: true })
})

test("matchesText matches a text in its plain and in its encoded form", () => {
  expect(matchesText("O'Brien@example.test ", "o'brien@example.test")).toBe(true)
  expect(matchesText("a&b", "A&amp;B")).toBe(true)
  expect(matchesText("a&b", "a&amp;amp;b")).toBe(false)
  expect(matchesText("a&b", "a")).toBe(false)
})
