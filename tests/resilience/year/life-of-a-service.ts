import { expect } from "vitest"
import type { Attempt } from "~/billing/payments/payment-repository"
import type { PlanFacts } from "~/billing/services/plan-changes"
import { DAY, HOUR, MINUTE } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { LATE_PAYMENT_GRACE, type Order } from "~/domain/orders/order"
import { asRenewed, changeableFrom, planChange, planChangeQuote } from "~/domain/services/plan-change"
import {
  graceEndOf,
  priceOfTerms,
  renewable,
  renewalLine,
  renewalQuote,
  startsOfTerms,
} from "~/domain/services/renewal"
import type { Service } from "~/domain/services/service"
import { quoteUpsell } from "~/domain/services/upsell"
import { opened, orderNow, paymentUpdate, plan } from "../../contracts/billing/billing-fixtures"
import type { DunnedShop } from "../../fixtures/dunned-shop"
import { termPolicy } from "../../fixtures/term-policy"
import { orderOf } from "./year-of-a-shop"

const euro = (minor: number) => money(minor, "EUR")
/** What a cycle costs, and each connection more. */
const plans = {
  basic: { productId: plan.id, name: plan.name, cycle: "monthly", price: 2_000, more: 250 },
  plus: { productId: "plus", name: "Plus", cycle: "monthly", price: 4_000, more: 250 },
  quarter: { productId: "quarter", name: "3 months", cycle: "quarterly", price: 5_400, more: 700 },
} as const
const [shortest, rounding] = [28 * DAY, 15]

export type Deed =
  | { readonly does: "waits" | "finds the shop switched off"; readonly days: number }
  | { readonly does: "orders a renewal"; readonly cycles: number }
  | {
      readonly does: "changes"
      readonly to: keyof typeof plans
      readonly policy: "difference" | "convert"
    }
  | {
      readonly does: "orders a connection" | "keeps the plan" | "is given days" | "declines" | "thinks again"
    }
  | { readonly does: "pays"; readonly which: number }

type Unpaid = {
  readonly order: Order
  readonly attempt: Attempt
  /** Asserts that the order has done what it was for. */
  readonly isCarriedOut: (before: Service, after: Service) => void
}

/**
 * A service with which its customer and the operator do anything in any order. Whatever is paid becomes what was ordered, at its value,
 * or account credit, and nothing is suspended that is paid.
 */
export async function startLife(shop: DunnedShop) {
  const { clock } = shop
  const { billing, payments, operator } = shop.billing
  const { serviceId: id, customerId } = await shop.payPlan()
  const unpaid: Unpaid[] = []
  let pass = shop.startInstance()
  /** Days that the operator has given. */
  let given = 0

  const find = async () => (await billing.service(id)) ?? expect.fail("no service")
  const credit = async () => (await payments.accountCredit(customerId, "EUR")).minor
  const asked = () => ({ ...orderOf(shop, customerId), accountCreditScope: "none" as const })
  const isPaid = ({ paidUntil }: Service) => (paidUntil ?? 0) > clock.wall

  async function order(placed: Order, isCarriedOut: Unpaid["isCarriedOut"]): Promise<void> {
    if (placed.status === "placed")
      unpaid.push({
        order: placed,
        attempt: await opened(shop.billing, placed, placed.total.minor),
        isCarriedOut,
      })
  }

  /** Half a day, with a pass and the jobs of the service. */
  async function live(): Promise<void> {
    shop.wait(DAY / 2)
    await billing.startNextPlan(id, clock.wall)
    await shop.runOnce(pass)
    await shop.dunning.release("The operator has looked.", clock.wall)
    if ((await find()).status === "Pending")
      await billing.activateService(id, { host: "https://tv.test" }, clock.wall)
    for (const it of [...unpaid]) await expire(it)
  }

  async function expire(it: Unpaid): Promise<void> {
    const { id: orderId, deadline } = it.order
    if (clock.wall > deadline) await billing.applyOrderEvent(orderId, "deadlinePassed", clock.wall)
    if (clock.wall > deadline + LATE_PAYMENT_GRACE) unpaid.splice(unpaid.indexOf(it), 1)
  }

  async function waits(days: number): Promise<void> {
    for (let half = 0; half < 2 * days; half++) await live()
  }

  async function renew(cycles: number): Promise<void> {
    const present = renewable(await find())
    const terms = present && (await billing.renewalTerms(id))
    if (!terms) return
    const service = asRenewed(present, await billing.nextPlan(id))
    const graceEnd = graceEndOf(service, termPolicy.graceDays)
    const starts = startsOfTerms(service, cycles, { at: clock.wall, graceEnd, zone: termPolicy.timeZone })
    const amount = priceOfTerms(terms, { policy: "kept", price: null }, starts) ?? expect.fail("no price")
    const item = { serviceId: id, cycles, amount }
    const line = renewalLine(service, item)
    const placed = await billing.placeRenewal({ ...asked(), items: [item], quote: renewalQuote([line]) })
    await order(placed, (before, after) => {
      // Days of a suspension are not paid for.
      const from = before.status === "Active" ? (before.paidUntil ?? 0) : clock.wall
      expect(after.paidUntil).toBeGreaterThanOrEqual(from + line.months * shortest - HOUR)
      expect(after).toMatchObject({ status: expect.stringMatching("Active|Pending"), declinedAt: null })
    })
  }

  async function connect(): Promise<void> {
    const { status, cycle } = await find()
    if (status !== "Active") return
    const { more } = cycle === "quarterly" ? plans.quarter : plans.basic
    const extra = { optionId: "2", choiceId: "5", name: "Extra connection", price: euro(more) }
    const quote = quoteUpsell(extra, 1)
    const placed = await billing.addInvoice({ ...asked(), serviceId: id, quantity: 1, quote })
    await order(placed, (before, after) => expect(after.connections).toBe(before.connections + 1))
  }

  async function change({ to, policy }: Extract<Deed, { does: "changes" }>): Promise<void> {
    const service = await find()
    const facts = await billing.planFacts(id, clock.wall)
    const present = facts && presentPlan(service, facts)
    if (!present) return
    const { more, price, ...named } = plans[to]
    const target = { ...named, price: euro(price + more * (service.connections - 1)) }
    const found = planChange({ ...present, unused: facts.unused, policy }, target)
    if (found?.when === "at-end") return void (await billing.chooseNextPlan(id, target, clock.wall))
    if (!found || changeableFrom(facts.changedAt, clock.wall) !== null) return
    const quote = planChangeQuote(found, service)
    const ordered = { ...asked(), ...found, serviceId: id, quote, target, from: clock.wall }
    const givenBefore = given
    await order(await billing.placePlanChange(ordered), (_, after) => {
      expect(after).toMatchObject(named)
      expect(after.paidUntil).toBeGreaterThanOrEqual(found.until + (given - givenBefore) * DAY - HOUR)
    })
    // What is converted has the same value.
    await isWorth(facts.unused.minor)
  }

  /** What is changed; null: it has no access, is not paid, or another plan follows for good. */
  function presentPlan(service: Service, { terms: { price }, next }: PlanFacts) {
    const { productId, cycle, term } = service
    if (service.status !== "Active" || !isPaid(service)) return null
    if (!price || !cycle || !term || next?.startsAt) return null
    return { productId, cycle, term, price, at: clock.wall, zone: term.zone }
  }

  async function pay(which: number): Promise<void> {
    const [it] = unpaid.splice(which % Math.max(1, unpaid.length), 1)
    if (!it) return
    const { minor } = (await orderNow(shop.billing, it.order)).total
    const [before, had, worth] = [await find(), await credit(), await value()]
    await payments.recordPaymentUpdate("offshore", paymentUpdate(it.attempt, "paid", minor), clock.wall)
    const after = await find()
    const credited = (await credit()) - had
    if (credited > 0) return void expect([credited, after]).toEqual([minor, before])
    it.isCarriedOut(before, after)
    const isAtOnce = clock.wall - it.order.placedAt < HOUR
    if (isAtOnce && worth) await isWorth(worth + minor)
  }

  async function isWorth(expected: number): Promise<void> {
    const now = await value()
    if (now !== null) expect(Math.abs(now - expected)).toBeLessThanOrEqual(rounding)
  }

  /** What the unused time is worth; null while there is none, or time of two plans. */
  async function value(): Promise<number | null> {
    const facts = isPaid(await find()) ? await billing.planFacts(id, clock.wall) : null
    return facts?.next?.startsAt ? null : (facts?.unused.minor ?? null)
  }

  const deeds: {
    readonly [Does in Deed["does"]]: (deed: Extract<Deed, { does: Does }>) => Promise<unknown>
  } = {
    waits: ({ days }) => waits(days),
    "finds the shop switched off": async ({ days }) => {
      shop.wait(days * DAY)
      pass = shop.startInstance()
      await live()
    },
    "orders a renewal": ({ cycles }) => renew(cycles),
    "orders a connection": connect,
    changes: change,
    "keeps the plan": () => billing.keepPlan(id, clock.wall),
    "is given days": async () => {
      const until = await operator.extendService(id, { days: 3, reason: "an outage", at: clock.wall })
      given += until === null ? 0 : 3
    },
    declines: () => billing.declineRenewal(id, "price", clock.wall),
    "thinks again": () => billing.resumeRenewal(id, clock.wall),
    pays: ({ which }) => pay(which),
  }

  return async <D extends Deed>(deed: D): Promise<void> => {
    shop.wait(MINUTE)
    const before = await find()
    await (deeds[deed.does] as (it: D) => Promise<unknown>)(deed)
    const after = await find()
    if (before.status !== "Suspended" && after.status === "Suspended")
      expect(after.suspension?.at).toBeGreaterThanOrEqual((after.paidUntil ?? 0) + termPolicy.graceDays * DAY)
    expect(await operator.findImbalances()).toEqual([])
  }
}
