import { expect, test } from "vitest"
import { type LawByCountry, lawOf, noLaw, saleTermsOf } from "./country-law"

const german = { orderButton: true, startAtOnce: true, withdrawalDays: 14 }
const law: LawByCountry = { countries: { DE: german }, words: noLaw.words }

test("the rules of a country apply to it alone, and everything is off without them", () => {
  const off = { orderButton: false, startAtOnce: false, withdrawalDays: null }
  expect(lawOf(law, "DE")).toEqual(german)
  for (const country of ["AT", "XX", "constructor"]) expect(lawOf(law, country)).toEqual(off)
  expect(lawOf(noLaw, "DE")).toEqual(off)
})

test("an order keeps what applied to it, and nothing where nothing did", () => {
  const declarations = { at: 1, consent: "Yes", acknowledgement: "I know" }
  expect(saleTermsOf(law, "DE", declarations)).toEqual({ country: "DE", withdrawalDays: 14, declarations })
  expect(saleTermsOf(law, "DE", null)).toEqual({ country: "DE", withdrawalDays: 14, declarations: null })
  expect(saleTermsOf(law, "AT", null)).toBeNull()
})
