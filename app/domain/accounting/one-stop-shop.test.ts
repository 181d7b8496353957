import { describe, expect, test } from "vitest"
import { creditNote, invoiceDocument, taxedLine } from "../../../tests/fixtures/tax-document"
import { germanTax } from "../../../tests/fixtures/tax-rules"
import type { TaxPlace } from "../tax/tax"
import { isOneStopShop, joinedReports, oneStopShopReport } from "./one-stop-shop"

const quarter = { year: 2026, quarter: 4 }
const taxedIn = (country: string): TaxPlace => ({ kind: "taxed", country, registration: "DE123456789" })
const sale = (country: string, gross: number, rate: number) =>
  invoiceDocument({ place: taxedIn(country), lines: [taxedLine(gross, rate)] })
const report = (...documents: Parameters<typeof oneStopShopReport>[0]) =>
  oneStopShopReport(documents, germanTax, quarter)

describe("the return has", () => {
  test("consumers of other member states", () => {
    expect(isOneStopShop(sale("FR", 2_400, 2_000), germanTax)).toBe(true)
  })

  const places: [string, TaxPlace][] = [
    ["consumers at home", taxedIn("DE")],
    ["countries outside the Union", { kind: "taxed", country: "GB", registration: "GB1" }],
    ["businesses that owe the tax", { kind: "reverse-charge", country: "FR", registration: "DE123456789" }],
    ["exempt countries", { kind: "exempt", country: "FR", registration: null }],
    ["countries without a registration", { kind: "not-registered", country: "US", registration: null }],
  ]
  test.each(places)("nothing of sales to %s", (_, place) => {
    expect(isOneStopShop(invoiceDocument({ place }), germanTax)).toBe(false)
  })

  test("nothing of sales at home under a number that the seller has no more", () => {
    expect(isOneStopShop(sale("DE", 7_900, 1_900), { registrations: [] })).toBe(false)
  })

  test("nothing of a member state where the seller is registered itself", () => {
    const own = { country: "FR", number: "FR99", from: "2020-01-01", until: null }
    const rules = { registrations: [...germanTax.registrations, own] }
    const place: TaxPlace = { kind: "taxed", country: "FR", registration: "FR99" }
    expect(isOneStopShop(invoiceDocument({ place }), rules)).toBe(false)
    expect(isOneStopShop(sale("FR", 2_400, 2_000), rules)).toBe(true)
  })
})

test("supplies are by member state and rate, in the order of the return", () => {
  const { supplies, corrections } = report(
    sale("FR", 2_400, 2_000),
    sale("AT", 1_200, 2_000),
    sale("FR", 2_400, 2_000),
    sale("FR", 1_055, 550),
    sale("DE", 7_900, 1_900),
  )
  expect(supplies.map(({ country, basisPoints, net, tax }) => [country, basisPoints, net, tax])).toEqual([
    ["AT", 2_000, 1_000, 200],
    ["FR", 2_000, 4_000, 800],
    ["FR", 550, 1_000, 55],
  ])
  expect(corrections).toEqual([])
})

test("other currencies are apart, behind the euro, and not converted", () => {
  const dollars = invoiceDocument({
    place: taxedIn("FR"),
    currency: "USD",
    lines: [taxedLine(1_200, 2_000)],
  })
  const { supplies } = report(dollars, sale("FR", 2_400, 2_000))
  expect(supplies.map(({ currency, net }) => [currency, net])).toEqual([
    ["EUR", 2_000],
    ["USD", 1_000],
  ])
})

test("a credit note for an invoice of the quarter lowers its supplies; one of an earlier quarter is a correction of that", () => {
  const note = (number: string, issuedOn: string) =>
    creditNote({ number, issuedOn }, { place: taxedIn("FR"), lines: [taxedLine(1_200, 2_000)] })
  const { supplies, corrections } = report(
    sale("FR", 2_400, 2_000),
    note("2026-000007", "2026-10-01"),
    note("2026-000003", "2026-09-30"),
    note("2025-000009", "2025-12-31"),
  )
  expect(supplies).toEqual([{ country: "FR", basisPoints: 2_000, currency: "EUR", net: 1_000, tax: 200 }])
  expect(corrections.map(({ of, net, tax }) => [of, net, tax])).toEqual([
    [{ year: 2025, quarter: 4 }, -1_000, -200],
    [{ year: 2026, quarter: 3 }, -1_000, -200],
  ])
})

test("an invoice of money that came again after a credit note belongs to the quarter of the supply, as the note does", () => {
  const of = { place: taxedIn("FR"), issuedOn: "2026-10-05", lines: [taxedLine(1_200, 2_000)] }
  const note = creditNote({ number: "2026-000003", issuedOn: "2026-09-30" }, of)
  const again = invoiceDocument({ ...of, suppliedOn: "2026-09-30" })
  const { supplies, corrections } = report(note, again)
  expect(supplies).toEqual([])
  expect(corrections).toMatchObject([{ of: { year: 2026, quarter: 3 }, net: 0, tax: 0 }])
})

test("documents of another quarter are left out", () => {
  const { supplies } = report(
    invoiceDocument({ place: taxedIn("FR"), issuedOn: "2026-09-30" }),
    invoiceDocument({ place: taxedIn("FR"), issuedOn: "2027-01-01" }),
  )
  expect(supplies).toEqual([])
})

test("the report of two parts is that of the whole", () => {
  const [one, other] = [sale("FR", 2_400, 2_000), sale("AT", 1_200, 2_000)]
  const note = creditNote({ number: "1", issuedOn: "2026-09-30" }, { place: taxedIn("FR") })
  expect(joinedReports(report(one, note), report(other, one, note))).toEqual(
    report(one, other, one, note, note),
  )
})
