import { expect, test } from "vitest"
import { type Business, numberAnswers } from "../customers/business"
import { countryOfTaxNumber, isConfirmedBusiness } from "./tax-number"

const business = (taxNumber: string, answer: Business["check"]["result"] = "valid"): Business => ({
  company: "Lumière SARL",
  address: ["1 rue de la Paix", "75002 Paris"],
  taxNumber,
  check: { result: answer, at: 1, requestId: null },
})

test.each([
  ["FR40303265045", "FR"],
  ["EL094259216", "GR"],
  ["XI980780684", "GB"],
  ["GB980780684", "GB"],
  ["CHE107787577", "CH"],
  ["ATU13585627", "AT"],
])("the number %s is of %s", (taxNumber, country) => {
  expect(countryOfTaxNumber(taxNumber)).toBe(country)
})

test("a buyer is a business in the country of its number, once a service has confirmed it", () => {
  const answered = numberAnswers.filter((it) => isConfirmedBusiness(business("FR40303265045", it), "FR"))
  expect(answered).toEqual(["valid"])
  expect(isConfirmedBusiness(business("FR40303265045"), "DE")).toBe(false)
  expect(isConfirmedBusiness(business("EL094259216"), "GR")).toBe(true)
  expect(isConfirmedBusiness(undefined, "FR")).toBe(false)
})
