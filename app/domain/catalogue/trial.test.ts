import fc from "fast-check"
import { expect, test } from "vitest"
import { DAY, HOUR } from "../calendar"
import { graceEndOf, renewedTerm } from "../services/renewal"
import { endOfTerm, isTrial, trialTerm, withCycles, withDays } from "../services/term"
import type { Product } from "./catalogue"
import { mailboxOf, trialRefusal, trialReminderAt, trialsOffered } from "./trial"

const zone = "Europe/Madrid"
const START = Date.UTC(2026, 10, 20, 12)

const product: Product = {
  id: "1",
  kind: "plan",
  name: "1 month",
  payType: "recurring",
  pricing: { EUR: { monthly: 1_200 } },
  options: [],
  customFields: [],
}

test.each([
  ["Ana@Example.test", "ana@example.test"],
  ["ana+tv@example.test", "ana@example.test"],
  ["A.N.A+tv@gmail.com", "ana@gmail.com"],
  ["ana@googlemail.com", "ana@gmail.com"],
  ["a.na@example.test", "a.na@example.test"],
  ["+ana@example.test", "+ana@example.test"],
])("the mailbox of %s is %s", (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox)
})

test("the plans that may be tried are those on sale whose product has a trial and is renewed", () => {
  const products = [
    product,
    { ...product, id: "2", trialHours: 24 },
    { ...product, id: "3", trialHours: 24, payType: "onetime" as const },
  ]
  expect(trialsOffered(products, "EUR")).toMatchObject([{ id: "2", trialHours: 24 }])
  expect(trialsOffered(products, "GBP")).toEqual([])
})

test("only a browser that has had a trial is told so", () => {
  expect(trialRefusal(["email", "device"])).toBe("had")
  expect(trialRefusal(["email"])).toBe("notAgain")
  expect(trialRefusal(["network"])).toBe("notAgain")
})

test("a trial of a day is reminded of after 19 hours and 12 minutes", () => {
  expect(trialReminderAt(START + DAY, DAY)).toBe(START + 19.2 * HOUR)
})

test("a trial ends after its hours, also where a clock change makes the day longer", () => {
  const night = Date.UTC(2026, 9, 24, 12)
  expect(endOfTerm(trialTerm(night, zone, 24), "monthly")).toBe(night + DAY)
})

test("days that the operator gives to a trial are days of the trial", () => {
  const given = withDays(trialTerm(START, zone, 24), 2)
  expect(isTrial(given)).toBe(true)
  expect(endOfTerm(given, "monthly")).toBe(START + 3 * DAY)
})

test("a paid term begins where the trial ends, or with a later payment, and is never shorter than one without a trial", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 720 }),
      fc.double({ min: 0, max: 3, noNaN: true }),
      fc.integer({ min: 1, max: 24 }),
      (hours, share, cycles) => {
        const term = trialTerm(START, zone, hours)
        const paidUntil = endOfTerm(term, "monthly")
        const at = Math.round(START + share * hours * HOUR)
        const graceEnd = graceEndOf({ paidUntil, term, status: "Active", suspension: null }, 3)
        const paid = renewedTerm({ term, paidUntil }, cycles, { at, graceEnd, zone })
        expect(paid).toEqual({ anchor: Math.max(at, paidUntil), zone, count: cycles, extraDays: 0 })
        expect(isTrial(paid)).toBe(false)
      },
    ),
  )
})

test("no cycles more leave a trial what it is", () => {
  const term = trialTerm(START, zone, 24)
  expect(withCycles(term, 0)).toEqual(term)
})
