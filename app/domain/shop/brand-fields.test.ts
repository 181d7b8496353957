import fc from "fast-check"
import { expect, test } from "vitest"
import { gatewayIds } from "../gateway-id"
import { locales } from "../locales"
import { brandParts, fieldsOfPart, typedBrand, withTypedBrand } from "./brand-fields"
import { type BrandContent, checkBrand } from "./shop-sections"

const line = fc
  .string({ minLength: 1, maxLength: 30, unit: "grapheme-ascii" })
  .filter((it) => it.trim() === it)
const inLanguages = <T>(value: fc.Arbitrary<T>) =>
  fc.dictionary(fc.constantFrom(...locales.map(({ code }) => code)), value, { maxKeys: 6 })
const url = fc.constantFrom("https://northlight.example/a", "http://northlight.example/b?c=d")

/** Content that the rules take, as a form or a file may make it. */
const content: fc.Arbitrary<BrandContent> = fc
  .record({
    brand: fc.record({
      name: line,
      title: inLanguages(line),
      guarantee: fc.option(inLanguages(line)),
      colours: fc.constantFrom({ light: "#0a7a5a", dark: null }, { light: "#ffd500", dark: "#112233" }),
    }),
    links: fc.record({ guides: fc.option(url), speedTest: fc.option(url), support: fc.option(url) }),
    legal: fc.record({
      seller: fc.option(line),
      terms: fc.option(fc.oneof(url, inLanguages(url))),
      privacy: fc.option(inLanguages(url)),
      refunds: fc.constant(null),
    }),
    methods: fc.constantFrom(
      {},
      {
        coinbase: { name: { "de-de": "Krypto" }, place: 2, minutes: { from: 0, to: 3 } },
        btcpay: { coins: { BTC: { from: 10, to: 40 } }, note: { "en-en": "On chain" } },
      },
    ),
    mail: fc.record({
      messages: fc.constantFrom(
        {},
        { receipt: { "de-de": { subject: "Los" }, "en-en": { paragraph: "Hello" } } },
      ),
    }),
  })
  .map((it) => {
    const checked = checkBrand(it)
    if (checked.kind === "invalid") throw new Error(JSON.stringify(checked.flaws))
    return checked.content
  })

test.each(brandParts)(
  "a form of %s that is posted as it was shown changes nothing that visitors see",
  (part) => {
    fc.assert(
      fc.property(content, (whole) => {
        const fields = fieldsOfPart(part, gatewayIds)
        const typed = typedBrand(whole, fields)
        const checked = checkBrand(withTypedBrand(whole, whole, { part, fields, typed }))
        expect(checked.kind).toBe("valid")
        const after = checked.kind === "valid" ? checked.content : {}
        expect(typedBrand(after, fields)).toEqual(typed)
        // Coins' times have no field, and stay.
        expect(after.methods?.btcpay?.coins).toEqual(whole.methods?.btcpay?.coins)
      }),
      { numRuns: 30 },
    )
  },
)

test("a part sets its own sections alone, and the others stay the shop file's", () => {
  const whole = { links: { guides: null, speedTest: null, support: null } }
  const fields = fieldsOfPart("links", [])
  const typed = { "links.support": " https://northlight.example " }
  expect(withTypedBrand({}, whole, { part: "links", fields, typed })).toEqual({
    links: { support: "https://northlight.example" },
    legal: {},
  })
})

test("a guarantee that is switched off is none in every language", () => {
  const fields = fieldsOfPart("brand", [])
  const typed = { "brand.name": "A", "brand.colours.light": "#112233", "brand.guarantee.de-de": "30 Tage" }
  const none = withTypedBrand({}, {}, { part: "brand", fields, typed })
  expect(none).toMatchObject({ brand: { guarantee: null } })
  const shown = { ...typed, "brand.guarantee.shown": "on" }
  expect(withTypedBrand({}, {}, { part: "brand", fields, typed: shown })).toMatchObject({
    brand: { guarantee: { "de-de": "30 Tage" } },
  })
})
