import { expect, test } from "vitest"
import { buyerCountry, countriesToConfirm, countryIn, currencyIn } from "./country"

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

test.each<[string, Parameters<typeof countriesToConfirm>[0], readonly string[] | null]>([
  ["has named no country", { named: null, located: "ES" }, null],
  ["is at an unknown address", { named: "DE", located: null }, null],
  ["is where the address is", { named: "ES", located: "ES" }, null],
  ["has named another country than the address's", { named: "DE", located: "ES" }, ["DE", "ES"]],
  ["has confirmed the one named", { named: "DE", located: "ES", confirmed: "DE" }, null],
  ["has named another one since", { named: "FR", located: "ES", confirmed: "DE" }, ["FR", "ES"]],
])("a buyer who %s has these countries to choose from", (_, place, countries) => {
  expect(countriesToConfirm(place)).toEqual(countries)
})

test.each([
  ["DE", "ES", "DE"],
  [null, "ES", "ES"],
  [null, null, "XX"],
])("a buyer who names %s at an address of %s sees the prices of %s", (named, located, country) => {
  expect(buyerCountry({ named, located })).toBe(country)
})
