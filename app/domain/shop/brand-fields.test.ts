import fc from "fast-check"
import { expect, test } from "vitest"
import { locales } from "../locales"
import { gatewayIds } from "../payments/gateway-id"
import { brandParts, fieldsOfPart, typedBrand, withoutSpareRows, withTypedBrand } from "./brand-fields"
import { deviceKinds } from "./shop-links"
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
    apps: fc.array(
      fc.record({
        name: line,
        devices: fc.subarray([...deviceKinds], { minLength: 1 }),
        store: url,
        open: fc.option(fc.constant("vlc://{url}")),
      }),
      // More than the form has rows for.
      { maxLength: 22 },
    ),
    setup: fc.record({
      tv: fc.array(
        inLanguages(line).filter((it) => Object.keys(it).length > 0),
        { maxLength: 6 },
      ),
    }),
    documents: fc.record({
      seller: fc.record({
        name: fc.option(line),
        address: fc.array(line, { maxLength: 5 }),
        email: fc.option(fc.constant("billing@northlight.example")),
      }),
    }),
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
        expect(after.apps).toEqual(whole.apps)
        expect(after.documents).toEqual(whole.documents)
        expect(after.setup?.tv).toEqual(whole.setup?.tv)
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

test("an app whose texts are emptied is taken off the list, and what is wrong with a later one keeps its place", () => {
  const app = (name: string) => ({
    name,
    devices: ["ios" as const],
    store: "https://store.example/",
    open: null,
  })
  const whole: BrandContent = { apps: [app("One"), app("Two"), app("Three")] }
  const fields = fieldsOfPart("apps", [])
  const emptied = { "apps.0.name": "", "apps.0.store": "" }
  const typed = {
    ...typedBrand(whole, fields),
    ...emptied,
    "apps.2.devices.ios": "",
    "apps.2.devices.other": "on",
  }
  const after = checkBrand(withTypedBrand({}, whole, { part: "apps", fields, typed }))
  expect(after).toMatchObject({
    content: { apps: [{ name: "Two" }, { name: "Three", devices: ["other"] }] },
  })
  const wrong = { ...typed, "apps.2.store": "ftp://store.example/", "apps.1.name": "" }
  const refused = checkBrand(withTypedBrand({}, whole, { part: "apps", fields, typed: wrong }))
  expect(refused).toMatchObject({
    flaws: [{ path: ["apps", 1, "name"], message: "must not be empty" }, { path: ["apps", 2, "store"] }],
  })
})

test("a list is shown with two empty rows to fill in, and no further ones", () => {
  const fields = fieldsOfPart("setup-tv", [])
  const values = typedBrand({ setup: { tv: [{ "de-de": "Einschalten" }] } }, fields)
  const rowsWith = (spare: number) => [
    ...new Set(withoutSpareRows(fields, values, spare).map(({ row }) => row)),
  ]
  expect([rowsWith(2), rowsWith(0)]).toEqual([[1, 2, 3], [1]])
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
