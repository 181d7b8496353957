import fc from "fast-check"
import { expect, test } from "vitest"
import { currencies, money, toDecimal } from "./money"
import { typedAmount } from "./typed-amount"

test.each([
  ["5", 500],
  ["5.0", 500],
  ["5,00", 500],
  ["5.00", 500],
  [" 12,5 ", 1_250],
  ["0.05", 5],
  ["0", 0],
  ["1000", 100_000],
  ["€98,90", 9_890],
  ["98.90 EUR", 9_890],
  ["98,90\u00a0€", 9_890],
  ["98.90 eur", 9_890],
  // Two separators, of which the last has two digits after it.
  ["1,234.50", 123_450],
  ["1.234,50 €", 123_450],
  ["€1,234,567.00", 123_456_700],
])("%j is an amount of %i cents", (text, cents) => {
  expect(typedAmount(text, "EUR")).toEqual(money(cents, "EUR"))
})

test.each([
  // A thousand to one operator, and one with three decimals to another.
  "1,000",
  "1.000",
  "€1,000",
  "12,345",
])("%j could be read in two ways, and is refused", (text) => {
  expect(typedAmount(text, "EUR")).toBeNull()
})

test.each([
  "",
  "five",
  "5.",
  ".5",
  "-5",
  "+5",
  "5.005",
  "1e3",
  "5 5",
  "1,23.50",
  "1,234,50",
  "1.234.50",
  "1234,567.00",
  "01,234.50",
  "€5 €",
  "5.00 CHF",
  "98.90; drop",
  "1234567890",
])("%j is no amount", (text) => {
  expect(typedAmount(text, "EUR")).toBeNull()
})

test("an amount with the sign of another currency is none of this one", () => {
  for (const text of ["$5.00", "5.00 USD", "£5"]) expect(typedAmount(text, "EUR")).toBeNull()
  expect(typedAmount("$5.00", "USD")).toEqual(money(500, "USD"))
  expect(typedAmount("£5", "GBP")).toEqual(money(500, "GBP"))
})

const amount = fc.record({ minor: fc.nat(99_999_999_999), currency: fc.constantFrom(...currencies) })

test("every amount is read back from each way to write it", () => {
  fc.assert(
    fc.property(amount, ({ minor, currency }) => {
      const plain = toDecimal(money(minor, currency))
      const written = ["en-GB", "de-DE", "nl-NL"].flatMap((locale) => {
        const style = { style: "currency", currency, currencyDisplay: "narrowSymbol" } as const
        return [
          new Intl.NumberFormat(locale, style).format(minor / 100),
          new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(minor / 100),
        ]
      })
      for (const text of [plain, plain.replace(".", ","), `${plain} ${currency}`, ...written])
        expect([text, typedAmount(text, currency)]).toEqual([text, money(minor, currency)])
    }),
  )
})

test("trailing zeros of the decimals may be left out", () => {
  fc.assert(
    fc.property(fc.nat(999_999_999), fc.constantFrom(".", ","), (whole, point) => {
      expect(typedAmount(String(whole), "EUR")).toEqual(money(whole * 100, "EUR"))
      for (const tenth of [0, 3, 9])
        expect(typedAmount(`${whole}${point}${tenth}`, "EUR")).toEqual(money(whole * 100 + tenth * 10, "EUR"))
    }),
  )
})

test("one separator before three digits is never read, as decimals or as thousands", () => {
  fc.assert(
    fc.property(fc.nat(999_999), fc.nat(999), fc.constantFrom(".", ","), (whole, rest, point) => {
      expect(typedAmount(`${whole}${point}${String(rest).padStart(3, "0")}`, "EUR")).toBeNull()
    }),
  )
})
