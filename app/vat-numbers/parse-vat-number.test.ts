import { expect, test } from "vitest"
import { unionCountries } from "~/domain/tax/tax"
import { countryOfTaxNumber } from "~/domain/tax/tax-number"
import { parseVatNumber } from "./parse-vat-number.server"

/** Numbers whose check digits are right, of every country that is known. */
const right = [
  "ATU13585627",
  "BE0428759497",
  "BG175074752",
  "CY10259033P",
  "CZ25123891",
  "DE136695976",
  "DK13585628",
  "EE100931558",
  "EL094259216",
  "ESB58378431",
  "FI20774740",
  "FR40303265045",
  "HR33392005961",
  "HU12892312",
  "IE6433435F",
  "IT00743110157",
  "LT119511515",
  "LU15027442",
  "LV40003521600",
  "MT11679112",
  "NL004495445B01",
  "PL8567346215",
  "PT501964843",
  "RO18547290",
  "SE123456789701",
  "SI50223054",
  "SK2022749619",
  "GB980780684",
  "XI980780684",
  "CHE107787577",
]

test.each(right)("%s is a number", async (number) => {
  expect(await parseVatNumber(number)).toBe(number)
})

test("every member state has numbers", () => {
  const known = new Set(right.map(countryOfTaxNumber))
  expect(unionCountries.filter((it) => !known.has(it))).toEqual([])
})

test.each([
  ["spaces and small letters", " fr 40 303 265 045 ", "FR40303265045"],
  ["full stops and hyphens", "CHE-107.787.577 MWST", "CHE107787577"],
  ["the French name of the Swiss tax", "CHE-107.787.577 TVA", "CHE107787577"],
  ["a dash as word processors make it", "DE–136695976", "DE136695976"],
  ["Greece by its ISO code", "GR094259216", "EL094259216"],
  ["a Greek number of eight digits", "EL94259216", "EL094259216"],
])("a number with %s is the same", async (_, typed, number) => {
  expect(await parseVatNumber(typed)).toBe(number)
})

test.each([
  ["a wrong check digit", "FR40303265046"],
  ["a digit too few", "DE13669597"],
  ["a digit too many", "DE1366959760"],
  ["no prefix", "136695976"],
  ["a country without numbers here", "US123456789"],
  ["a prefix alone", "DE"],
  ["nothing", ""],
  ["a name of an object's own", "__proto__"],
  ["letters of another script", "DE１３６６９５９７６"],
  ["markup", "DE<script>"],
  ["a wrong Swiss check digit", "CHE-107.787.578"],
  ["very much", `DE${"1".repeat(10_000)}`],
])("a number with %s is none", async (_, typed) => {
  expect(await parseVatNumber(typed)).toBeNull()
})
