import type { KyselyPlugin } from "kysely"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { DAY, type Instant } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { topUpQuote } from "~/domain/orders/top-up"
import type { PaymentUpdate } from "~/domain/payments/payment"
import type { Service } from "~/domain/services/service"
import { endOfTerm, newTerm } from "~/domain/services/term"
import { quoteUpsell } from "~/domain/services/upsell"
import {
  active,
  NOON,
  newOrderInput,
  opened,
  paymentUpdate,
  unique,
} from "../../../tests/contracts/billing/billing-fixtures"
import { reseller } from "../../../tests/contracts/billing/reseller-fixtures"
import { type BillingWithTerms, openBillingWithTerms } from "../../../tests/fixtures/billing-with-terms"
import { termPolicy } from "../../../tests/fixtures/term-policy"
import { afterAllHaveRead, waitForLocks, whileOpen } from "../../../tests/support/db/contention"
import { extendService } from "./admin/service-changes.server"
import type { DbContext } from "./db/transaction.server"
import { paymentRepository } from "./payments/payment-repository.server"
import { placeOrder } from "./purchases/place-order.server"
import { placeTopUp } from "./purchases/place-top-up.server"
import { chooseNextPlan } from "./services/next-plan.server"
import { priceMovesOf } from "./services/price-move-runs.server"
import { runCampaign } from "./services/term-campaigns.server"

/* What happens to a service on two instances at the same moment: see `tests/support/db/contention.ts`. */

const ZONE = termPolicy.timeZone
const END = endOfTerm(newTerm(NOON, ZONE, 1), "monthly")
const eur = (minor: number) => money(minor, "EUR")
const fulfilled = <Value>(value: Value) => ({ status: "fulfilled", value })

let shop: BillingWithTerms

beforeAll(async () => {
  shop = await openBillingWithTerms("PostgreSQL")
})
afterAll(() => shop.close())

/** A service of EUR 20.00 a month that is paid until `END`. */
async function service(customerId?: string): Promise<Service> {
  const { serviceId: id } = await active(shop, customerId === undefined ? {} : { customerId })
  const term = {
    term_anchor: NOON,
    term_zone: ZONE,
    term_count: 1,
    paid_until: END,
    created_at: NOON,
  } as const
  await shop.ctx.db
    .updateTable("services")
    .set({ cycle: "monthly", ...term })
    .where("id", "=", id)
    .execute()
  return find(id)
}

async function find(id: string): Promise<Service> {
  const found = await shop.billing.service(id)
  if (!found) throw new Error(`No service ${id}`)
  return found
}

type Keyed = { readonly key: string; readonly customerId: string }

/**
 * Result of `work`, which writes an order with a key. `meanwhile` happens when it has read everything up to that: another request has
 * written an order with the same key, which is rolled back.
 */
async function betweenReadAndWrite(
  { key, customerId }: Keyed,
  work: () => Promise<unknown>,
  meanwhile: () => Promise<unknown>,
): Promise<PromiseSettledResult<unknown> | undefined> {
  const sameKey = await newOrderInput(shop.billing, { key, customerId })
  const rolledBack = shop.ctx.db.transaction().execute(async (db) => {
    await placeOrder({ ...shop.ctx, db }, sameKey)
    const working = Promise.allSettled([work()])
    await waitForLocks(shop.ctx.db, 1)
    await meanwhile()
    throw Object.assign(new Error("rolled back"), { working })
  })
  const { working } = await rolledBack.catch(
    (error: { working: Promise<PromiseSettledResult<unknown>[]> }) => error,
  )
  return (await working)[0]
}

test("a campaign that is undone while it goes on leaves its days to no service", async () => {
  const request = { days: 2, productId: null, activeAt: NOON + DAY, reason: unique() }
  const first = await service()
  const { id } = await shop.operator.runCampaign(request, NOON + 2 * DAY)
  expect(await find(first.id)).toMatchObject({ paidUntil: END + 2 * DAY })
  const second = await service()
  const [run] = await whileOpen(
    shop.ctx,
    (tx) => runCampaign(tx, request, NOON + 2 * DAY),
    () => shop.operator.undoCampaign(id, NOON + 3 * DAY),
  )
  expect(run).toMatchObject({ id, services: [second.id] })
  expect(await find(first.id)).toMatchObject({ paidUntil: END })
  expect(await find(second.id)).toMatchObject({ paidUntil: END })
})

test("of two operators who give days one is refused, also if the other is done between a look at the end and the change", async () => {
  const { id } = await service()
  const given = (days: number) => ({ days, endBefore: END, reason: "outage", at: NOON + DAY })
  let other: Promise<PromiseSettledResult<unknown>[]> | undefined
  const afterFirstStatement: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (other) return result
      other = Promise.allSettled([shop.operator.extendService(id, given(3))])
      await Promise.race([other, waitForLocks(shop.ctx.db, 1)])
      return result
    },
  }
  const db = shop.ctx.db.withPlugin(afterFirstStatement)
  const [own] = await Promise.allSettled([extendService({ ...shop.ctx, db }, id, given(2))])
  const outcomes = [own, ...((await other) ?? [])]
  expect(outcomes.map((it) => it?.status).toSorted()).toEqual(["fulfilled", "rejected"])
  expect(
    (await shop.operator.serviceDetails(id))?.events.filter(({ kind }) => kind === "extended"),
  ).toHaveLength(1)
})

test("of two price changes of a plan that two operators begin at that moment one is begun", async () => {
  const { productId } = await service()
  const run = () => ({
    id: unique(),
    kind: "return" as const,
    productId,
    cycle: "monthly" as const,
    currency: "EUR" as const,
    price: null,
    from: END + 40 * DAY,
    reason: "mistake",
    operatorId: null,
    operator: "admin CLI",
    at: NOON,
    newestBefore: null,
  })
  const [first, second] = await whileOpen(
    shop.ctx,
    (tx) => priceMovesOf(tx).begin(run()),
    () => shop.priceMoves.begin(run()),
  )
  expect([first, second]).toEqual(["begun", fulfilled("changed")])
})

test("an extension of a line that is cancelled at that moment uses no credit", async () => {
  const { customerId, order, line } = await reseller(shop)
  const { serviceId: lineId } = await shop.billing.createLine(line())
  await shop.billing.activateService(lineId, { host: "https://tv.test" }, NOON)
  const { quote: _, cycle: __, credentials: ___, notes: ____, holdReason: _____, ...request } = line()
  const extend = () =>
    shop.billing.extendLines({ ...request, lineIds: [lineId], resellerServiceId: order.serviceId })
  const extended = await betweenReadAndWrite(request, extend, () =>
    shop.billing.cancelLine({ lineId, customerId, at: NOON }),
  )
  expect(extended).toMatchObject({ status: "rejected", reason: { kind: "refused" } })
  expect(await shop.billing.resellerCredits({ id: customerId, reach: "account" }, 1)).toMatchObject({
    balance: 25,
  })
})

describe("connections that are paid", () => {
  const target = { productId: "7", name: "another", cycle: "monthly", price: eur(1_500) } as const

  /** A service that another plan follows, at EUR 15.00. */
  async function withNextPlan(): Promise<Service> {
    const it = await service()
    expect(await shop.billing.chooseNextPlan(it.id, target, NOON)).toBe(true)
    return it
  }

  /** Orders a connection at EUR 2.50. Returns the report of its payment. */
  async function ordered({ id: serviceId, customerId }: Service) {
    const extra = { optionId: "2", choiceId: "5", name: "Extra connection", price: eur(250) }
    const input = await newOrderInput(shop.billing, { customerId })
    const quote = quoteUpsell(extra, 1)
    const order = await shop.billing.addInvoice({ ...input, serviceId, quantity: 1, quote })
    return paymentUpdate(await opened(shop, order, 250), "paid", 250)
  }

  const pay = (ctx: DbContext, update: PaymentUpdate, at: Instant) =>
    paymentRepository(ctx).recordPaymentUpdate("offshore", update, at)

  test("at the same moment both cost in the plan that follows", async () => {
    const it = await withNextPlan()
    const updates = [await ordered(it), await ordered(it)]
    const results = await afterAllHaveRead(
      shop.ctx.db,
      "services",
      updates.map((update) => () => pay(shop.ctx, update, NOON)),
    )
    expect(results).toMatchObject([fulfilled({ isPaid: true }), fulfilled({ isPaid: true })])
    expect(await shop.billing.nextPlan(it.id)).toMatchObject({ price: eur(2_000) })
  })

  test("after another plan was chosen at that moment cost in it", async () => {
    const it = await service()
    const update = await ordered(it)
    const [isChosen] = await whileOpen(
      shop.ctx,
      (tx) => chooseNextPlan(tx, it.id, { plan: { ...target, connections: it.connections }, at: NOON }),
      () => pay(shop.ctx, update, NOON),
    )
    expect(isChosen).toBe(true)
    expect(await shop.billing.nextPlan(it.id)).toMatchObject({ price: eur(1_750) })
  })

  test("let no plan be chosen that was priced without them", async () => {
    const it = await service()
    const update = await ordered(it)
    const [, isChosen] = await whileOpen(
      shop.ctx,
      (tx) => pay(tx, update, NOON),
      () => shop.billing.chooseNextPlan(it.id, { ...target, connections: it.connections }, NOON),
    )
    expect(isChosen).toEqual(fulfilled(false))
    expect(await shop.billing.nextPlan(it.id)).toBeNull()
  })

  test("when the plan that follows begins cost in it", async () => {
    const it = await withNextPlan()
    const update = await ordered(it)
    await whileOpen(
      shop.ctx,
      (tx) => pay(tx, update, END),
      () => shop.billing.startNextPlan(it.id, END),
    )
    expect(await find(it.id)).toMatchObject({ connections: it.connections + 1, name: "another" })
    expect(await shop.billing.renewalTerms(it.id)).toMatchObject({ price: eur(1_750) })
  })
})

test("a top-up up to the bound whose form is sent twice at once is one order", async () => {
  const { id: serviceId, customerId } = await service()
  const { kind: _, promoCode: __, cycle: ___, ...input } = await newOrderInput(shop.billing, { customerId })
  const request = {
    ...input,
    serviceId,
    accessScope: { reach: "account" },
    quote: topUpQuote(eur(2_500)),
    max: 2_500,
  } as const
  const [first, second] = await whileOpen(
    shop.ctx,
    (tx) => placeTopUp(tx, request),
    () => shop.billing.placeTopUp(request),
  )
  expect(second).toEqual(fulfilled(first))
})
