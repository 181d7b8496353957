import { gunzipSync } from "node:zlib"
import fc from "fast-check"
import { expect, test } from "vitest"
import { fillTemplate, gzipTemplate, type TemplatePart } from "./gzip-template.server"

/** Texts that repeat themselves and each other, as markup does. */
const markup = fc
  .array(fc.constantFrom('<link rel="later" href="/checkout/', '" nonce="', "89,00 €", "ñ", "a", "</p>"), {
    maxLength: 40,
  })
  .map((words) => words.join(""))
const word = fc.string({ unit: "binary", maxLength: 60 })

const pages = fc.array(
  fc.oneof(
    markup.map((piece) => ({ piece: Buffer.from(piece) as TemplatePart, word: null })),
    word.map((own) => ({ piece: { gap: Buffer.byteLength(own) }, word: own })),
    word.map((own) => ({ piece: { gap: null }, word: own })),
  ),
  { maxLength: 30 },
)

const text = (words: string) => Buffer.from(words)
const wordsOf = (page: readonly { word: string | null }[]) => page.flatMap(({ word }) => word ?? [])

test("the decompressed page holds the visitor's values in its placeholders", () => {
  fc.assert(
    fc.property(pages, (page) => {
      const whole = page.map(({ piece, word }) => word ?? String(piece)).join("")
      const pieces = page.map(({ piece }) => piece)
      const packed = gzipTemplate(pieces)(wordsOf(page))
      expect(gunzipSync(packed).equals(Buffer.from(whole))).toBe(true)
      expect(fillTemplate(pieces, wordsOf(page)).equals(Buffer.from(whole))).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test("the next visitor gets their own values and none of the previous visitor's", () => {
  const pieces = [text("<a nonce="), { gap: 5 }, text("><b nonce="), { gap: 5 }, text(">"), { gap: null }]
  const packed = gzipTemplate([...pieces, text("<b nonce=")])
  packed(["first", "first", "ana@example.test"])
  const next = gunzipSync(packed(["other", "other", ""])).toString()
  expect(next).toBe("<a nonce=other><b nonce=other><b nonce=")
})

test("a value that the page already contains does not make the response shorter", () => {
  const packed = gzipTemplate([text("secret secret secret "), { gap: 6 }])
  expect(packed(["secret"]).length).toBe(packed(["qwzxyv"]).length)
})

test("a typical page is as small as compressed at once, but for some bytes for each placeholder", () => {
  const line = (nth: number) => `<link rel="later" href="/checkout/assets/chunk-${nth}.js" nonce="`
  const lines = Array.from({ length: 12 }, (_, nth) => [text(line(nth)), { gap: 24 }, text('"/>')]).flat()
  const [gapped] = [gzipTemplate(lines)(Array(12).fill("x".repeat(24)))]
  expect(gapped?.length).toBeLessThan(12 * (24 + 5 + 5 + 25))
})

test("rejects a value that is too long for a stored DEFLATE block", () => {
  const packed = gzipTemplate([text("a"), { gap: 3 }, text("b"), { gap: null }])
  expect(() => packed(["long words", ""])).toThrow(RangeError)
  expect(() => packed(["abc", "x".repeat(70_000)])).toThrow(RangeError)
})
