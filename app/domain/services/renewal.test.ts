import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { DAY, HOUR, type Instant } from "../calendar"
import { cycles, monthsOf } from "../catalogue/billing-cycle"
import type { Product } from "../catalogue/catalogue"
import { type Money, money } from "../money/money"
import {
  cataloguePrice,
  discountedTermsAfter,
  graceEndOf,
  isEndNear,
  isTooFarAhead,
  lastingPrice,
  lowerPrice,
  movedPrice,
  nextPrice,
  priceOfTerms,
  type RenewalTerms,
  renewable,
  renewalChoices,
  renewalLine,
  renewalPrice,
  renewalQuote,
  renewedTerm,
  startOfRenewal,
  startsOfTerms,
} from "./renewal"
import type { Service } from "./service"
import { endOfTerm, newTerm, trialTerm } from "./term"

const zone = "Europe/Madrid"
const euro = (minor: number) => money(minor, "EUR")
const at = (text: string): Instant => Date.parse(text)

const term = newTerm(at("2027-12-14T10:00:00Z"), zone, 1)
const service: Service = {
  id: "s1",
  orderId: "1",
  customerId: "c1",
  productId: "3",
  kind: "plan",
  name: "1 month",
  status: "Active",
  username: "TV1",
  password: "1",
  host: "https://tv.test",
  connections: 1,
  proxyProtection: false,
  cycle: "monthly",
  currency: "EUR",
  deviceAddress: null,
  deviceRequested: null,
  notes: "",
  paidUntil: endOfTerm(term, "monthly"),
  term,
  suspension: null,
  declinedAt: null,
  balanceRenewal: false,
}

function ready(changes: Partial<Service> = {}) {
  const found = renewable({ ...service, ...changes })
  if (!found) throw new Error("not renewable")
  return found
}

const time = (text: string, graceDays = 3) => ({
  at: at(text),
  graceEnd: graceEndOf(ready(), graceDays),
  zone,
})

test("the end of a service is near in its last week, and that of a free trial in its last fifth", () => {
  const { paidUntil } = ready()
  expect(isEndNear(ready(), paidUntil - 7 * DAY)).toBe(false)
  expect(isEndNear(ready(), paidUntil - 7 * DAY + 1)).toBe(true)
  const trial = { term: trialTerm(0, zone, 10), paidUntil: 10 * HOUR }
  expect(isEndNear(trial, 8 * HOUR)).toBe(false)
  expect(isEndNear(trial, 8 * HOUR + 1)).toBe(true)
})

describe("which services can be renewed", () => {
  test.each(["Active", "Suspended", "Terminated"] as const)("a service that is %s", (status) => {
    expect(renewable({ ...service, status })).toMatchObject({ id: "s1", cycle: "monthly" })
  })

  test.each([
    ["not set up yet", { status: "Pending" }],
    ["cancelled", { status: "Cancelled" }],
    ["a reseller's", { kind: "reseller" }],
    ["without an end", { paidUntil: null, term: null }],
    ["of an external billing system, which has the end alone", { term: null }],
    ["without a stored cycle", { cycle: null }],
  ] as const)("none that is %s", (_, changes) => {
    expect(renewable({ ...service, ...changes })).toBeNull()
  })

  test.each([
    ["non-payment", true],
    ["operator", false],
    ["fraud", false],
    ["panel", false],
  ] as const)("a suspension by %s: %s", (owner, expected) => {
    const suspended = { ...service, status: "Suspended" as const, suspension: { owner, reason: null, at: 0 } }
    expect(renewable(suspended) !== null).toBe(expected)
  })
})

describe("where a renewed term begins", () => {
  test("early: the term is added to what is left", () => {
    const early = time("2028-01-02T09:00:00Z")
    expect(startOfRenewal(ready(), early)).toBe("early")
    expect(endOfTerm(renewedTerm(ready(), 1, early), "monthly")).toBe(at("2028-02-14T10:00:00Z"))
  })

  test("at the end itself, and on the last instant of the grace: without a gap", () => {
    expect(startOfRenewal(ready(), time("2028-01-14T10:00:00Z"))).toBe("early")
    const last = time("2028-01-17T10:00:00Z")
    expect(startOfRenewal(ready(), last)).toBe("within-grace")
    expect(endOfTerm(renewedTerm(ready(), 2, last), "monthly")).toBe(at("2028-03-14T10:00:00Z"))
  })

  test("an instant after the grace: with the payment, in the shop's zone", () => {
    const late = time("2028-01-17T10:00:00.001Z")
    expect(startOfRenewal(ready(), late)).toBe("later")
    expect(renewedTerm(ready(), 2, late)).toEqual(newTerm(late.at, zone, 2))
  })

  test.each([
    ["suspended", { status: "Suspended", suspension: { owner: "non-payment", at: "2028-01-17T10:00:00Z" } }],
    ["terminated", { status: "Terminated", suspension: null }],
  ] as const)(
    "with the payment of a service that is %s, also if the grace was made longer since",
    (_, state) => {
      const { status, suspension } = state
      const ended = ready({
        status,
        suspension: suspension && { ...suspension, reason: null, at: at(suspension.at) },
      })
      const late = { ...time("2028-01-20T10:00:00Z"), graceEnd: graceEndOf(ended, 14) }
      expect(startOfRenewal(ended, late)).toBe("later")
      expect(renewedTerm(ended, 1, late)).toEqual(newTerm(late.at, zone, 1))
    },
  )

  test("days given by the operator stay when a term is added, and end with a new anchor", () => {
    const given = ready({ term: { ...term, extraDays: 5 } })
    const early = time("2028-01-02T09:00:00Z")
    expect(renewedTerm(given, 1, early)).toMatchObject({ count: 2, extraDays: 5 })
    expect(renewedTerm(given, 1, time("2028-05-02T09:00:00Z"))).toMatchObject({ count: 1, extraDays: 0 })
  })

  test("n renewals of one month end like one of n, whenever they are paid before the end or in the grace", () => {
    fc.assert(
      fc.property(
        anchors,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 14 }),
        (start, paid) => {
          let one = newTerm(start, zone, 1)
          for (const share of paid) {
            const paidUntil = endOfTerm(one, "monthly")
            const graceEnd = graceEndOf({ ...service, paidUntil, term: one }, 3)
            const moment = start + share * (graceEnd - start)
            one = renewedTerm({ term: one, paidUntil }, 1, { at: moment, graceEnd, zone })
          }
          expect(endOfTerm(one, "monthly")).toBe(endOfTerm(newTerm(start, zone, 1 + paid.length), "monthly"))
        },
      ),
    )
  })

  test("paid time never shrinks, and a renewal is never shorter than what was bought", () => {
    fc.assert(
      fc.property(
        anchors,
        fc.integer({ min: 0, max: 900 }),
        fc.constantFrom(...cycles),
        (start, days, cycle) => {
          const before = newTerm(start, zone, 1)
          const paidUntil = endOfTerm(before, cycle)
          const moment = start + days * DAY
          const graceEnd = graceEndOf({ ...service, paidUntil, term: before }, 3)
          const after = endOfTerm(
            renewedTerm({ term: before, paidUntil }, 1, { at: moment, graceEnd, zone }),
            cycle,
          )
          expect(after).toBeGreaterThan(paidUntil)
          const from = moment > graceEnd ? moment : paidUntil
          // February is the shortest month, and a clock change takes an hour.
          expect(after - from).toBeGreaterThan(monthsOf(cycle) * 28 * DAY - DAY)
        },
      ),
    )
  })
})

const anchors = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2032, 0, 1) })

describe("what may be bought", () => {
  const choices = (text: string, changes: Partial<Service> = {}, aheadMonths = 24) =>
    renewalChoices(ready(changes), { ...time(text), aheadMonths }).map((it) => it.cycles)

  test("a month, three, six, a year, two years, as far as the shop lets pay ahead", () => {
    expect(choices("2028-01-14T10:00:00Z")).toEqual([1, 3, 6, 12, 24])
    expect(choices("2028-01-13T10:00:00Z")).toEqual([1, 3, 6, 12])
    expect(choices("2028-01-13T10:00:00Z", {}, 6)).toEqual([1, 3])
  })

  test("offers whole cycles only, in steps of the plan's own cycle", () => {
    const cyclesOf = (cycle: Service["cycle"]) =>
      choices(
        "2028-01-10T10:00:00Z",
        { cycle, paidUntil: at("2028-01-14T10:00:00Z"), term: newTerm(at("2028-01-14T10:00:00Z"), zone, 0) },
        25,
      )
    expect(cyclesOf("quarterly")).toEqual([1, 2, 4, 8])
    expect(cyclesOf("annually")).toEqual([1, 2])
    expect(cyclesOf("biennially")).toEqual([1])
  })

  test("a cycle that is longer than the shop lets pay ahead: in its last month", () => {
    const long = {
      cycle: "triennially",
      term: newTerm(at("2025-01-14T10:00:00Z"), zone, 1),
      paidUntil: at("2028-01-14T10:00:00Z"),
    } as const
    expect(choices("2027-12-13T10:00:00Z", long)).toEqual([])
    expect(choices("2027-12-14T10:00:00Z", long)).toEqual([1])
  })

  test("nothing, when as much has been paid already", () => {
    const paid = {
      term: newTerm(at("2027-12-14T10:00:00Z"), zone, 25),
      paidUntil: at("2030-01-14T10:00:00Z"),
    }
    expect(choices("2028-01-02T10:00:00Z", paid)).toEqual([])
  })

  test("is not too far ahead, and one cycle more than that is", () => {
    const january = { ...time("2028-01-13T10:00:00Z"), aheadMonths: 24 }
    expect(renewalChoices(ready(), january).at(-1)?.cycles).toBe(12)
    expect([23, 24].map((cycles) => isTooFarAhead(ready(), cycles, january))).toEqual([false, true])
  })

  test("an end that is offered is the end that a payment at that moment leads to", () => {
    const late = time("2028-06-01T10:00:00Z")
    const [first] = renewalChoices(ready(), { ...late, aheadMonths: 24 })
    expect(first).toEqual({ cycles: 1, until: at("2028-07-01T10:00:00Z") })
  })
})

const terms: RenewalTerms = { price: euro(900), discount: euro(0), discountedTerms: null, announced: null }
const NOW = at("2028-01-02T10:00:00Z")
const kept = (price: Money | null) => ({ policy: "kept" as const, price })
const current = (price: Money | null) => ({ policy: "current" as const, price })

/** Price of terms that all begin now. */
const priceOfCycles = (price: Money, its: RenewalTerms, cycles: number) =>
  priceOfTerms({ ...its, price }, kept(null), Array<Instant>(cycles).fill(NOW)) ?? euro(-1)

describe("what a renewal costs", () => {
  test("the service keeps its price, whatever the catalogue says", () => {
    expect(renewalPrice(terms, kept(euro(1_200)), NOW)).toEqual(euro(900))
    expect(renewalPrice(terms, kept(euro(700)), NOW)).toEqual(euro(900))
  })

  test("the catalogue's price, if the product says so or the service has none", () => {
    expect(renewalPrice(terms, current(euro(1_200)), NOW)).toEqual(euro(1_200))
    expect(renewalPrice({ ...terms, price: null }, kept(euro(1_200)), NOW)).toEqual(euro(1_200))
  })

  test("a product that is no longer sold renews at the service's price", () => {
    expect(renewalPrice(terms, kept(null), NOW)).toEqual(euro(900))
    expect(renewalPrice(terms, current(null), NOW)).toEqual(euro(900))
    expect(renewalPrice({ ...terms, price: null }, kept(null), NOW)).toBeNull()
  })

  test("an announced price from its day on, and not before", () => {
    const announced = { ...terms, announced: { price: euro(1_500), from: NOW } }
    expect(renewalPrice(announced, kept(euro(1_000)), NOW - 1)).toEqual(euro(900))
    expect(renewalPrice(announced, kept(euro(1_000)), NOW)).toEqual(euro(1_500))
  })

  test("a discount of the first, of some and of all further terms", () => {
    const off = (discountedTerms: number | null) => ({ ...terms, discount: euro(100), discountedTerms })
    expect(priceOfCycles(euro(900), off(0), 3)).toEqual(euro(2_700))
    expect(priceOfCycles(euro(900), off(2), 3)).toEqual(euro(2_500))
    expect(priceOfCycles(euro(900), off(5), 3)).toEqual(euro(2_400))
    expect(priceOfCycles(euro(900), off(null), 3)).toEqual(euro(2_400))
    expect([discountedTermsAfter(2, 3), discountedTermsAfter(5, 3), discountedTermsAfter(null, 3)]).toEqual([
      0,
      2,
      null,
    ])
  })

  test("a discount above the price makes a term free, not negative", () => {
    expect(priceOfCycles(euro(900), { ...terms, discount: euro(1_000), discountedTerms: 1 }, 2)).toEqual(
      euro(900),
    )
  })

  test("terms paid one after the other cost as much as together", () => {
    fc.assert(
      fc.property(
        fc.nat(10_000),
        fc.nat(10_000),
        fc.option(fc.nat(6)),
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 5 }),
        (price, discount, first, parts) => {
          let discountedTerms = first
          let paid = 0
          for (const part of parts) {
            paid += priceOfCycles(
              euro(price),
              { ...terms, discount: euro(discount), discountedTerms },
              part,
            ).minor
            discountedTerms = discountedTermsAfter(discountedTerms, part)
          }
          const sum = parts.reduce((all, part) => all + part, 0)
          const together = { ...terms, discount: euro(discount), discountedTerms: first }
          expect(paid).toBe(priceOfCycles(euro(price), together, sum).minor)
        },
      ),
    )
  })

  test("each term costs what is the price on the day on which it begins", () => {
    const from = at("2028-03-14T10:00:00Z")
    const announced = { ...terms, announced: { price: euro(1_500), from } }
    const service = ready({ paidUntil: at("2028-01-14T10:00:00Z") })
    const starts = startsOfTerms(service, 4, time("2028-01-02T10:00:00Z"))
    expect(starts.map((it) => new Date(it).toISOString().slice(0, 10))).toEqual([
      "2028-01-14",
      "2028-02-14",
      "2028-03-14",
      "2028-04-14",
    ])
    const costs = (cycles: number) => priceOfTerms(announced, kept(euro(700)), starts.slice(0, cycles))
    expect([1, 2, 3, 4].map(costs)).toEqual([900, 1_800, 3_300, 4_800].map(euro))
    expect(priceOfTerms({ ...terms, price: null }, kept(null), starts)).toBeNull()
  })

  test("the first term of a later payment begins with it", () => {
    const later = time("2028-06-01T10:00:00Z")
    expect(startsOfTerms(ready(), 2, later)).toEqual([later.at, at("2028-07-01T10:00:00Z")])
  })

  test("terms that begin before the day of another price and after it are paid like each alone", () => {
    fc.assert(
      fc.property(
        fc.record({ price: fc.nat(5_000), announced: fc.nat(5_000), discount: fc.nat(5_000) }),
        fc.option(fc.nat(6)),
        fc.array(fc.nat(10), { minLength: 1, maxLength: 8 }),
        ({ price, announced, discount }, discountedTerms, days) => {
          const starts = days.toSorted((a, b) => a - b).map((day) => NOW + day * DAY)
          const from = NOW + 5 * DAY
          const its = {
            price: euro(price),
            discount: euro(discount),
            discountedTerms,
            announced: { price: euro(announced), from },
          }
          const off = starts.map((_, before) => (before < (discountedTerms ?? 8) ? discount : 0))
          const full = starts.map((start) => (start < from ? price : announced))
          const alone = full.map((it, before) => Math.max(0, it - (off[before] ?? 0)))
          expect(priceOfTerms(its, kept(null), starts)?.minor).toBe(alone.reduce((a, b) => a + b))
        },
      ),
    )
  })

  test("what the next term costs has its discount, if there is one left", () => {
    const off = (discountedTerms: number | null) => ({ ...terms, discount: euro(100), discountedTerms })
    expect([null, 1, 0].map((it) => nextPrice(euro(900), off(it)))).toEqual([euro(800), euro(800), euro(900)])
  })

  test("a catalogue price below what one term costs with its discount is offered, another is not", () => {
    const discounted = { ...terms, discount: euro(100), discountedTerms: 1 }
    expect(lowerPrice(discounted, kept(euro(799)), NOW)).toEqual(euro(799))
    expect(lowerPrice(discounted, kept(euro(800)), NOW)).toBeNull()
    expect(lowerPrice({ ...discounted, discountedTerms: 0 }, kept(euro(899)), NOW)).toEqual(euro(899))
    expect(lowerPrice(terms, kept(null), NOW)).toBeNull()
    expect(lowerPrice({ ...terms, price: null }, kept(null), NOW)).toBeNull()
  })
})

const option = (id: string, minor: number) => ({
  id,
  name: id,
  choices: [{ id: `${id}c`, name: "Yes", pricing: { EUR: { monthly: minor } } }],
})
const product: Product = {
  id: "3",
  kind: "plan",
  name: "1 month",
  payType: "recurring",
  pricing: { EUR: { monthly: 900 } },
  options: [option("2", 250), option("4", 100)],
  customFields: [],
}

describe("the catalogue's price of a service", () => {
  test("contains all its connections and the proxy protection", () => {
    expect(cataloguePrice(ready(), product)).toEqual(euro(900))
    expect(cataloguePrice(ready({ connections: 3, proxyProtection: true }), product)).toEqual(euro(1_500))
  })

  test.each([
    ["its cycle", { cycle: "annually" }, product],
    ["its currency", { currency: "GBP" }, product],
    ["its extra connections", { connections: 2 }, { ...product, options: [] }],
    ["its proxy protection", { proxyProtection: true }, { ...product, options: [option("2", 250)] }],
  ] as const)("there is none without %s in the catalogue", (_, changes, sold) => {
    expect(cataloguePrice(ready(changes), sold)).toBeNull()
  })

  test("a plan with another price keeps its extras, as far as they have a price", () => {
    const more = ready({ connections: 3, proxyProtection: true })
    expect(movedPrice(euro(1_200), more, product)).toEqual(euro(1_800))
    expect(movedPrice(euro(1_200), ready(), null)).toEqual(euro(1_200))
    expect(movedPrice(euro(1_200), more, null)).toBeNull()
  })
})

test("the quote of several services has a line each, in months, and their sum", () => {
  const lines = [
    renewalLine(ready(), { serviceId: "s1", cycles: 3, amount: euro(2_700) }),
    renewalLine(ready({ cycle: "quarterly", name: "3 months" }), {
      serviceId: "s2",
      cycles: 1,
      amount: euro(2_000),
    }),
  ]
  expect(renewalQuote(lines)).toEqual({
    lines: [
      { kind: "renewal", productId: "3", name: "1 month", months: 3, amount: euro(2_700) },
      { kind: "renewal", productId: "3", name: "3 months", months: 3, amount: euro(2_000) },
    ],
    total: euro(4_700),
  })
})

test("a price applies for good less a discount of every renewal, and without one of some renewals", () => {
  const [price, discount] = [money(110_00, "EUR"), money(10_00, "EUR")]
  expect(lastingPrice(price, { discount, discountedTerms: null })).toEqual(money(100_00, "EUR"))
  expect(lastingPrice(price, { discount, discountedTerms: 2 })).toEqual(price)
})
