import { gunzipSync } from "node:zlib"
import fc from "fast-check"
import { expect, test } from "vitest"
import { fillTemplate, gzipTemplate, type TemplatePart } from "./gzip-template.server"

/** Texts that repeat themselves and each other, as markup does. */
const markup = fc
  .array(fc.constantFrom('<link rel="later" href="/checkout/', '" nonce="', "89,00 €", "ñ", "a", "</p>"), {
    maxLength: 40,
  })
  .map((values) => values.join(""))
const value = fc.string({ unit: "binary", maxLength: 60 })

const pages = fc.array(
  fc.oneof(
    markup.map((part) => ({ part: Buffer.from(part) as TemplatePart, value: null })),
    value.map((own) => ({ part: { placeholder: Buffer.byteLength(own) }, value: own })),
    value.map((own) => ({ part: { placeholder: null }, value: own })),
  ),
  { maxLength: 30 },
)

const text = (values: string) => Buffer.from(values)
const valuesOf = (page: readonly { value: string | null }[]) => page.flatMap(({ value }) => value ?? [])

test("the decompressed page holds the visitor's values in its placeholders", () => {
  fc.assert(
    fc.property(pages, (page) => {
      const whole = page.map(({ part, value }) => value ?? String(part)).join("")
      const parts = page.map(({ part }) => part)
      const compressed = gzipTemplate(parts)(valuesOf(page))
      expect(gunzipSync(compressed).equals(Buffer.from(whole))).toBe(true)
      expect(fillTemplate(parts, valuesOf(page)).equals(Buffer.from(whole))).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test("the next visitor gets their own values and none of the previous visitor's", () => {
  const parts = [
    text("<a nonce="),
    { placeholder: 5 },
    text("><b nonce="),
    { placeholder: 5 },
    text(">"),
    { placeholder: null },
  ]
  const compressed = gzipTemplate([...parts, text("<b nonce=")])
  compressed(["first", "first", "ana@example.test"])
  const next = gunzipSync(compressed(["other", "other", ""])).toString()
  expect(next).toBe("<a nonce=other><b nonce=other><b nonce=")
})

test("a value that the page already contains does not make the response shorter", () => {
  const compressed = gzipTemplate([text("secret secret secret "), { placeholder: 6 }])
  expect(compressed(["secret"]).length).toBe(compressed(["qwzxyv"]).length)
})

test("a typical page is as small as compressed in one pass, except for some bytes per placeholder", () => {
  const line = (nth: number) => `<link rel="later" href="/checkout/assets/chunk-${nth}.js" nonce="`
  const lines = Array.from({ length: 12 }, (_, nth) => [
    text(line(nth)),
    { placeholder: 24 },
    text('"/>'),
  ]).flat()
  const [gapped] = [gzipTemplate(lines)(Array(12).fill("x".repeat(24)))]
  expect(gapped?.length).toBeLessThan(12 * (24 + 5 + 5 + 25))
})

test("rejects a value that is too long for a stored DEFLATE block", () => {
  const compressed = gzipTemplate([text("a"), { placeholder: 3 }, text("b"), { placeholder: null }])
  expect(() => compressed(["long words", ""])).toThrow(RangeError)
  expect(() => compressed(["abc", "x".repeat(70_000)])).toThrow(RangeError)
})
