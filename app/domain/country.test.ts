import { expect, test } from "vitest"
import { countryIn, currencyIn } from "./country"

test.each(["GB", "ES", "MA", "XK"])("%s is a country code", (code) => {
  expect(countryIn(code)).toBe(code)
})

test.each([null, undefined, 7, {}, ["GB"], "", "-", "T1", "gb", "GBR", "GB\n", " GB", "ÄÖ"])(
  "reads %j as the unknown country XX",
  (body) => {
    expect(countryIn(body)).toBe("XX")
  },
)

test("the United Kingdom pays in GBP", () => {
  expect(currencyIn("GB", "EUR")).toBe("GBP")
})

test.each(["ES", "US", "MA", "XX"])("the country %s pays in the shop's own currency", (country) => {
  expect([currencyIn(country, "EUR"), currencyIn(country, "USD")]).toEqual(["EUR", "USD"])
})
