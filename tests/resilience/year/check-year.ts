import { expect } from "vitest"
import type { Engine } from "../../fixtures/temporary-database"
import { GRACE } from "./independent-model"
import { wrongMessages } from "./messages-of-year"
import { yearOfAShop } from "./year-of-a-shop"

type Year = Awaited<ReturnType<typeof yearOfAShop>>

/** Runs a year and compares it with the independent model, day by day and at its end. */
export async function checkYear(engine: Engine, options: Parameters<typeof yearOfAShop>[1]) {
  const year = await yearOfAShop(engine, options)
  const { shop, customers, deaths } = year
  expect(customers.flatMap(differences).slice(0, 20)).toEqual([])
  // Whoever is to be suspended is reminded of it, and in time.
  expect((await wrongMessages(year)).slice(0, 20)).toEqual([])
  const times = customers.map(timesOf)
  // Nobody is suspended who has paid, and nobody is served unpaid for longer than the grace.
  expect(times.filter(({ suspendedThoughPaid }) => suspendedThoughPaid > 0)).toEqual([])
  expect(Math.max(...times.map(({ longestUnpaid }) => longestUnpaid))).toBe(GRACE)
  const [served, paid, unpaid] = [sum(times, "served"), sum(times, "paid"), sum(times, "unpaid")]
  expect(served).toBe(paid + unpaid)
  const credit = await accountCredit(year)
  const charged = customers.reduce((total, it) => total + it.charged, 0)
  expect(year.received).toBe(charged + credit)
  const months = customers.reduce((total, { expected }) => total + expected.months, 0)
  expect(await shop.billing.operator.findImbalances()).toEqual([])
  expect(shop.log.filter(({ msg }) => msg === "dunning stopped")).toEqual([])
  await shop.close()
  return { served, paid, unpaid, months, credit, deaths, changes: year.changes }
}

type Customer = Year["customers"][number]

/** Days on which the database or the panel differs from the model. */
function differences({ habit, begins, expected, ...days }: Customer): string[] {
  const { stored, served, plans, servedPlans, expectedPlans } = days
  const otherPlans = expectedPlans.flatMap((plan, day) =>
    plans[day] === plan && servedPlans[day] === plan
      ? []
      : [
          `${habit} from day ${begins}, day ${day}: ${plan}, but ${plans[day]}, at the panel ${servedPlans[day]}`,
        ],
  )
  const otherStatuses = expected.statuses.flatMap((status, day) =>
    stored[day] === status && served[day] === status
      ? []
      : [
          `${habit} from day ${begins}, day ${day}: ${status}, but ${stored[day]}, at the panel ${served[day]}`,
        ],
  )
  return [...otherStatuses, ...otherPlans]
}

/** Days of a service: served, paid, served unpaid, and the most of those in a row. */
function timesOf({ stored, expected }: Customer) {
  const days = stored.map((status, day) => ({
    isServed: status === "active",
    isPaid: expected.isPaid[day] ?? false,
    isSuspended: status === "suspended",
  }))
  const unpaid = days.map(({ isServed, isPaid }) => (isServed && !isPaid ? "x" : " ")).join("")
  return {
    served: days.filter(({ isServed }) => isServed).length,
    paid: days.filter(({ isPaid }) => isPaid).length,
    unpaid: unpaid.replaceAll(" ", "").length,
    suspendedThoughPaid: days.filter(({ isPaid, isSuspended }) => isPaid && isSuspended).length,
    longestUnpaid: Math.max(...unpaid.split(" ").map((it) => it.length)),
  }
}

function sum(times: readonly ReturnType<typeof timesOf>[], what: "served" | "paid" | "unpaid"): number {
  return times.reduce((total, it) => total + it[what], 0)
}

async function accountCredit({ shop }: Year): Promise<number> {
  const rows = await shop.db.selectFrom("credits").select("balance").execute()
  return rows.reduce((total, { balance }) => total + Number(balance), 0)
}
