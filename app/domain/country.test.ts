import { expect, test } from "vitest"
import { countryIn, currencyIn } from "./country"

test.each(["GB", "ES", "MA", "XK"])("%s is a country", (code) => {
  expect(countryIn(code)).toBe(code)
})

test.each([null, undefined, 7, {}, ["GB"], "", "-", "T1", "gb", "GBR", "GB\n", " GB", "ÄÖ"])(
  "%j is no country, so it is unknown",
  (body) => {
    expect(countryIn(body)).toBe("XX")
  },
)

test("who is in the United Kingdom pays in pounds", () => {
  expect(currencyIn("GB", "EUR")).toBe("GBP")
})

test.each(["ES", "US", "MA", "XX"])("who is in %s pays in the shop's own currency", (country) => {
  expect([currencyIn(country, "EUR"), currencyIn(country, "USD")]).toEqual(["EUR", "USD"])
})
