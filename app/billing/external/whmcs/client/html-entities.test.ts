import { describe, expect, test } from "vitest"
import { decodeText, decodeTexts, matchesText } from "./html-entities"

describe("a text of WHMCS", () => {
  test.each([
    ["a&amp;b", "a&b"],
    ["o&#039;brien@example.test", "o'brien@example.test"],
    ["&lt;b&gt; &quot;x&quot; &#39;y&#x27;", "<b> \"x\" 'y'"],
    ["caf&eacute;", "café"],
  ])("that is encoded, %s, is decoded", (encoded, plain) => {
    expect(decodeText(encoded)).toBe(plain)
  })

  test.each(["&amp;amp;", "&amp;lt;b&amp;gt;", "&amp;#039;"])("%s loses one level of encoding", (encoded) => {
    expect(decodeText(encoded)).toBe(encoded.replace("&amp;", "&").replace("&amp;gt;", "&gt;"))
  })

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
  ])("that is plain, %s, stays as it is", (plain) => {
    expect(decodeText(plain)).toBe(plain)
  })
})

test("every text in a response is decoded, at any depth, and nothing else is", () => {
  const response = { a: ["&amp;", { "b&amp;": "&lt;" }], n: 1, no: null, yes: true }
  expect(decodeTexts(response)).toEqual({ a: ["&", { "b&amp;": "<" }], n: 1, no: null, yes: true })
})

test("a text is known again in its plain and in its encoded form", () => {
  expect(matchesText("O'Brien@example.test ", "o'brien@example.test")).toBe(true)
  expect(matchesText("a&b", "A&amp;B")).toBe(true)
  expect(matchesText("a&b", "a&amp;amp;b")).toBe(false)
  expect(matchesText("a&b", "a")).toBe(false)
})
