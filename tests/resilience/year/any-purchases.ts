import { expect } from "vitest"
import type { Attempt } from "~/billing/payment-repository"
import { DAY, MINUTE, SECOND } from "~/domain/calendar"
import { money } from "~/domain/money"
import { LATE_PAYMENT_GRACE, type Order } from "~/domain/order"
import { payableStatuses } from "~/domain/order-status"
import type { PaymentUpdate } from "~/domain/payment"
import { outstanding } from "~/domain/settlement"
import { OPERATOR_REFERENCE } from "~/domain/timeline"
import { placeOrder } from "~/flows/checkout/place-order.server"
import { priceChoice } from "~/flows/checkout/quote-choices.server"
import { dunningPass } from "~/flows/jobs/dunning.server"
import { sweep } from "~/flows/jobs/reconcile.server"
import { runJobs } from "~/flows/jobs/run-jobs.server"
import { cancelUnpaidOrder } from "~/flows/payments/cancel-order.server"
import { cancelLine, extendLines } from "~/flows/resellers/change-lines.server"
import { createLine } from "~/flows/resellers/create-line.server"
import { buyUpsell } from "~/flows/services/buy-upsell.server"
import { changePlan, chooseNextPlan, planChoices } from "~/flows/services/change-plan.server"
import { renewFromBalance, renewFromBalances } from "~/flows/services/renew-from-balance.server"
import { renewServices } from "~/flows/services/renew-services.server"
import { topUp } from "~/flows/services/top-up.server"
import { unique } from "../../contracts/billing/billing-fixtures"
import { documentPolicy } from "../../fixtures/document-policy"
import { importOddPrices } from "../../fixtures/kinds-of-sale"
import { request } from "../../fixtures/purchase"
import { openShopOn } from "../../fixtures/shop-on-engine"
import { germanTax } from "../../fixtures/tax-rules"
import type { Engine } from "../../fixtures/temporary-database"
import { choice } from "../../fixtures/test-shop"
import { expectEffects } from "./effects-of-purchases"
import { expectEvents } from "./events-of-purchases"
import { expectMoney, type Sums } from "./money-of-purchases"
import { readSales } from "./stored-sales"
import { expectNoneOverdue, expectPaidTime } from "./time-of-purchases"

const EMAIL = "ana@example.test"
const buyer = { named: "DE", located: "DE" } as const
const pricing = { country: "DE", currency: "EUR", buyer } as const
const eur = (minor: number) => money(minor, "EUR")

/** Something that the customer, the operator or a gateway does. */
export type Deed = {
  readonly does: DeedName
  /** Which order or service it is about. */
  readonly nth: number
  /** Of what it is about, in percent; above 100 it is too much. */
  readonly share: number
  readonly count: 1 | 2 | 3
  /** What is ordered is paid at once, in full. */
  readonly isPaid: boolean
}

export const deedNames = [
  "waits",
  "waits long",
  "orders a plan",
  "renews",
  "renews all",
  "connects",
  "changes plan",
  "keeps the plan",
  "declines",
  "renews from credit",
  "tops up",
  "is seen",
  "pays",
  "marks as paid",
  "marked as paid before entries",
  "refunds",
  "refunds to credit",
  "charges back",
  "cancels",
  "flags",
  "releases",
  "gives days",
  "takes days back",
  "suspends",
  "resumes",
  "terminates",
  "grants credit",
  "buys reseller credits",
  "makes a line",
  "extends lines",
  "cancels a line",
] as const
export type DeedName = (typeof deedNames)[number]

/** A payment at the gateway: what it has reported in all. */
type Payment = { readonly attempt: Attempt; gross: number; back: number }

/** A customer with whom anything happens in any order. The returned function does one thing, and checks everything after it. */
export async function startPurchases(engine: Engine) {
  const opened = await openShopOn(engine, {
    tax: germanTax,
    documents: documentPolicy,
    webhooks: { always: true, creditsLow: 5 },
  })
  await importOddPrices(opened.database)
  const { shop } = opened
  const { services, billing: embedded } = shop
  const { billing, payments } = services
  const { operator } = embedded
  let steady = 0
  const pass = dunningPass(services, {
    holder: "pass",
    steadyNow: () => steady,
    renewFromBalance: (id) => renewFromBalance(services, id),
  })
  const wait = (time: number) => {
    shop.wait(time)
    steady += time
  }
  const now = () => services.now()
  const orderIds: string[] = []
  const paymentsOf = new Map<string, Payment[]>()
  /** What has come in and gone out, as the one who pays sees it. */
  const sums: { -readonly [Name in keyof Sums]: Sums[Name] } & { readonly withoutEntry: Set<string> } = {
    came: 0,
    back: 0,
    granted: 0,
    mayOwe: false,
    withoutEntry: new Set<string>(),
  }
  let customerId: string | null = null

  const customer = () => (customerId === null ? null : ({ id: customerId, reach: "account" } as const))
  const form = () => ({
    key: unique(),
    orderId: null,
    gateway: "offshore" as const,
    locale: "en-en" as const,
    address: null,
    country: "DE" as const,
    browser: null,
    buyer,
    customer: customer(),
  })

  async function placed(placement: { kind: string; order?: Order }): Promise<void> {
    const { order } = placement
    if (placement.kind !== "placed" || !order) return
    if (!orderIds.includes(order.id)) orderIds.push(order.id)
    customerId ??= order.customerId
  }

  const orders = async () => Promise.all(orderIds.map(orderNow))
  async function orderNow(id: string): Promise<Order> {
    return (await billing.order(id)) ?? expect.fail(`no order ${id}`)
  }
  async function find(nth: number, of: "order" | "unpaid" | "paid"): Promise<Order | undefined> {
    const all = (await orders()).filter(({ status }) => {
      if (of === "order") return true
      return payableStatuses.includes(status) === (of === "unpaid")
    })
    return all[nth % Math.max(1, all.length)]
  }
  async function servicesOf(kind: "plan" | "reseller" | "line") {
    const rows = await opened.database.db
      .selectFrom("services")
      .innerJoin("orders", "orders.id", "services.order_id")
      .select("services.id")
      .where("orders.kind", "=", kind)
      .orderBy("placed_at")
      .orderBy("services.id")
      .execute()
    const all = await Promise.all(rows.map(({ id }) => billing.service(id)))
    return all.filter((it) => it !== null)
  }
  async function serviceAt(nth: number) {
    const all = await servicesOf("plan")
    return all[nth % Math.max(1, all.length)]
  }

  async function work(): Promise<void> {
    for (const queue of ["services", "terms"] as const) while ((await runJobs(services, queue)) > 0);
  }

  /** Half a day of the shop. */
  async function live(): Promise<void> {
    wait(DAY / 2)
    await work()
    await sweep(services, "sweep")
    await renewFromBalances(services, "renewals")
    await pass()
    await embedded.dunning?.release("The operator has looked.", now())
    await work()
    await noteOrdersOfShop()
  }

  /** Renewals from account credit, and lines of a reseller. */
  async function noteOrdersOfShop(): Promise<void> {
    const rows = await opened.database.db.selectFrom("orders").select("id").orderBy("placed_at").execute()
    for (const { id } of rows) if (!orderIds.includes(id)) orderIds.push(id)
  }

  async function report(payment: Payment, update: Pick<PaymentUpdate, "status" | "refunded">): Promise<void> {
    const { attempt, gross } = payment
    const reported = { eventKey: unique(), attemptId: attempt.id, received: eur(gross), transactionId: null }
    await payments.recordPaymentUpdate("offshore", { ...reported, ...update }, now())
  }

  /** The payment of an order that accepts money, or its last one. */
  async function paymentOf(order: Order): Promise<Payment | undefined> {
    const all = paymentsOf.get(order.id) ?? []
    const due = outstanding(order)
    const last = all.at(-1)
    const isOpen = last && (last.gross === 0 || last.gross < last.attempt.amount.minor)
    if (isOpen || !payableStatuses.includes(order.status) || due.minor === 0) return last
    const asked = { orderId: order.id, gateway: "offshore", coin: null, amount: due } as const
    const attempt = await payments.findOrCreateAttempt({ ...asked, id: unique(), at: now() })
    const url = "https://pay.test/"
    await payments.markAttemptOpened(attempt.id, { paymentId: attempt.id, url }, now())
    const known = all.find((it) => it.attempt.id === attempt.id)
    if (known) return known
    const payment = { attempt, gross: 0, back: 0 }
    paymentsOf.set(order.id, [...all, payment])
    return payment
  }

  async function pay(order: Order, share: number): Promise<void> {
    const payment = await paymentOf(order)
    if (!payment) return
    const base = Math.max(outstanding(order).minor, share > 100 ? 100 : 0)
    const more = Math.ceil((base * share) / 100)
    if (more === 0) return
    payment.gross += more
    sums.came += more
    await report(payment, { status: share < 100 ? "partially-paid" : "paid" })
  }

  /** Pays the orders after the first ones. */
  async function payNew(known: number): Promise<void> {
    for (const id of orderIds.slice(known)) await pay(await orderNow(id), 100)
  }

  async function refund({ id }: Order, share: number, toCredit: boolean): Promise<void> {
    const most = await refundable(id, toCredit)
    const minor = Math.ceil((most * share) / 100)
    if (minor === 0) return
    const asked = { key: unique(), amount: eur(minor), toCredit, reason: "asked", at: now() }
    const { kind } = await operator.recordRefund(id, asked)
    expect(kind).toBe(minor > most ? "too-much" : "recorded")
    if (kind === "recorded" && !toCredit) await notePaidBack(id, minor)
  }

  async function refundable(orderId: string, toCredit: boolean): Promise<number> {
    const { credit, outside, received } = (await detailsOf(orderId)).refundable
    return toCredit ? credit.minor : Math.max(outside.minor, received.minor)
  }

  /** Later reports of the gateway have what the operator has recorded. */
  async function notePaidBack(orderId: string, minor: number): Promise<void> {
    sums.back += minor
    sums.mayOwe = true
    const { attempts } = await detailsOf(orderId)
    for (const it of paymentsOf.get(orderId) ?? []) {
      const received = attempts.find(({ id }) => id === it.attempt.id)?.received.minor ?? 0
      it.back = it.gross - received
    }
  }

  async function detailsOf(orderId: string) {
    return (await operator.order(orderId)) ?? expect.fail(`no order ${orderId}`)
  }

  async function chargeBack(order: Order, share: number): Promise<void> {
    const payment = (paymentsOf.get(order.id) ?? []).findLast(({ gross, back }) => gross > back)
    if (!payment) return
    const minor = Math.ceil(((payment.gross - payment.back) * Math.min(share, 100)) / 100)
    payment.back += minor
    sums.back += minor
    sums.mayOwe = true
    await report(payment, { status: "refunded", refunded: eur(payment.back) })
  }

  async function changeTo({ nth, share }: Deed): Promise<void> {
    const service = await serviceAt(nth)
    const choices = service && (await planChoices(services, billing, { service, at: now() }))
    const change = choices?.changes[share % Math.max(1, choices.changes.length)]
    if (!service || !change) return
    const { productId, cycle, price } = change
    const shown = { productId, cycle, price: price.minor }
    if (change.when === "at-end") return void (await chooseNextPlan(services, service, shown))
    const due = change.due.minor
    await placed(await changePlan(services, { ...form(), service, shown: { ...shown, due, at: now() } }))
  }

  async function orderOf(kind: "plan" | "reseller", plan: string, promoCode: string | null): Promise<void> {
    const choices = { ...choice, kind, plan, promoCode, extraConnection: false, email: EMAIL }
    const priced = await priceChoice(services, choices, pricing)
    if (priced.kind !== "priced") return
    const agreedTotal = priced.quote.total.minor
    const key = unique()
    await placed(
      await placeOrder(services, request({ choices, customer: customer(), key, agreedTotal, pricing })),
    )
  }

  async function resellerForm() {
    const [service] = (await servicesOf("reseller")).filter(({ status }) => status === "Active")
    const own = customer()
    return service && own ? { ...form(), customer: own, service } : null
  }

  const codes = [null, "PERCENT", "FIXED", "LASTING"]
  const doers: { readonly [Does in DeedName]: (deed: Deed) => Promise<unknown> } = {
    async waits({ count }) {
      for (let half = 0; half < 2 * count; half++) await live()
    },
    async "waits long"({ count }) {
      for (let half = 0; half < 20 * count; half++) await live()
    },
    "orders a plan": ({ nth, count }) => orderOf("plan", String(count), codes[nth % codes.length] ?? null),
    async renews({ nth, count }) {
      const service = await serviceAt(nth)
      if (!service) return
      const renewed = [{ service, cycles: [1, 3, 12][count - 1] ?? 1, shown: null }]
      await placed(await renewServices(services, { ...form(), renewed }))
    },
    async "renews all"() {
      const all = await servicesOf("plan")
      const renewed = all.slice(0, 2).map((service) => ({ service, cycles: 1, shown: null }))
      if (renewed.length > 0) await placed(await renewServices(services, { ...form(), renewed }))
    },
    async connects({ nth, count }) {
      const service = await serviceAt(nth)
      if (service)
        await placed(await buyUpsell(services, { ...form(), service, quantity: count, shownUnit: null }))
    },
    "changes plan": changeTo,
    async "keeps the plan"({ nth }) {
      const service = await serviceAt(nth)
      if (service) await billing.keepPlan(service.id, now())
    },
    async declines({ nth, count }) {
      const service = await serviceAt(nth)
      if (!service) return
      if (count === 1) await billing.resumeRenewal(service.id, now())
      else await billing.declineRenewal(service.id, "price", now())
    },
    async "renews from credit"({ nth, count }) {
      const service = await serviceAt(nth)
      if (service) await billing.setBalanceRenewal(service.id, count > 1, now())
    },
    async "tops up"({ nth, count }) {
      const [service, own] = [await serviceAt(nth), customer()]
      if (!service || !own) return
      const amount = [10_00, 25_00, 50_00][count - 1] ?? 0
      await placed(await topUp(services, { ...form(), customer: own, service, amount }))
    },
    async "is seen"({ nth }) {
      const order = await find(nth, "unpaid")
      const payment = order && (await paymentOf(order))
      if (payment && payment.gross === 0) await report(payment, { status: "processing" })
    },
    async pays({ nth, share }) {
      const order = await find(nth, share > 100 || share === 50 ? "order" : "unpaid")
      if (order) await pay(order, share)
    },
    async "marks as paid"({ nth }) {
      const order = await find(nth, "unpaid")
      if (!order) return
      sums.came += outstanding(order).minor
      await billing.applyOrderEvent(order.id, "paid", now(), `${OPERATOR_REFERENCE}by bank`)
    },
    /** Up to migration 0080 what the operator had received had no entry in the ledger. */
    async "marked as paid before entries"({ nth }) {
      const order = await find(nth, "unpaid")
      if (!order) return
      sums.came += outstanding(order).minor
      sums.withoutEntry.add(order.id)
      await billing.applyOrderEvent(order.id, "paid", now(), `${OPERATOR_REFERENCE}by bank`)
      await opened.database.db
        .deleteFrom("outside_payments")
        .where("invoice_id", "=", (of) =>
          of.selectFrom("invoices").select("id").where("order_id", "=", order.id),
        )
        .execute()
    },
    async refunds({ nth, share }) {
      const order = await find(nth, "paid")
      if (order) await refund(order, share, false)
    },
    async "refunds to credit"({ nth, share }) {
      const order = await find(nth, "paid")
      if (order) await refund(order, share, true)
    },
    async "charges back"({ nth, share }) {
      const order = await find(nth, "order")
      if (order) await chargeBack(order, share)
    },
    async cancels({ nth }) {
      const order = await find(nth, "unpaid")
      if (order) await cancelUnpaidOrder(services, order.id)
    },
    async flags({ nth }) {
      const order = await find(nth, "unpaid")
      if (order) await billing.fraudOrder(order.id, "suspicious", now())
    },
    async releases({ count }) {
      const held = (await orders()).find(({ status }) => status === "fraud")
      if (!held) return
      if (count === 1) return billing.applyOrderEvent(held.id, "declined", now())
      const terms = { at: now(), deadline: now() + DAY, reference: "operator", quoteHolds: true }
      await billing.releaseOrder(held.id, terms)
    },
    async "gives days"({ nth, count }) {
      const service = await serviceAt(nth)
      if (service) await operator.extendService(service.id, { days: count, reason: "an outage", at: now() })
    },
    async "takes days back"({ nth, count }) {
      const service = await serviceAt(nth)
      if (service) await operator.extendService(service.id, { days: -count, reason: "a mistake", at: now() })
    },
    async suspends({ nth, count }) {
      const service = await serviceAt(nth)
      const owner = count === 1 ? "fraud" : "operator"
      if (service) await operator.suspendService(service.id, { owner, reason: "abuse", at: now() })
    },
    async resumes({ nth }) {
      const service = await serviceAt(nth)
      const owners = ["fraud", "operator"] as const
      if (service) await operator.resumeService(service.id, { owners, reason: "cleared", at: now() })
    },
    async terminates({ nth, count }) {
      const service = count === 1 ? await serviceAt(nth) : undefined
      if (service)
        await operator.terminateService(service.id, { owner: "operator", reason: "abuse", at: now() })
    },
    async "grants credit"({ share }) {
      const own = customer()
      if (!own) return
      sums.granted += share
      await operator.grantAccountCredit(own.id, {
        key: unique(),
        amount: eur(share),
        reason: "sorry",
        at: now(),
      })
    },
    "buys reseller credits": () =>
      customerId === null ? Promise.resolve() : orderOf("reseller", "12", null),
    async "makes a line"() {
      const own = await resellerForm()
      if (own) await createLine(services, { ...own, notes: "" })
    },
    async "extends lines"({ count }) {
      const own = await resellerForm()
      const lines = (await servicesOf("line")).slice(0, count)
      if (own && lines.length > 0) await extendLines(services, { ...own, lineIds: lines.map(({ id }) => id) })
    },
    async "cancels a line"({ nth }) {
      const [own, lines] = [await resellerForm(), await servicesOf("line")]
      const line = lines[nth % Math.max(1, lines.length)]
      if (own && line) await cancelLine(services, { customer: own.customer, lineId: line.id })
    },
  }

  const checked = { ctx: opened.database, services, billing: embedded }

  return {
    /** Does something, and checks money and paid time. */
    async take(deed: Deed): Promise<void> {
      wait(MINUTE + SECOND)
      const before = await readSales(checked)
      const begun = now()
      await doers[deed.does](deed)
      if (deed.isPaid) await payNew(before.orders.length)
      await work()
      await noteOrdersOfShop()
      await expectMoney(checked, await orders(), sums)
      const compared = { before, after: await readSales(checked), begun, deed: deed.does }
      expectPaidTime(compared)
      await expectEffects(checked, compared)
      if (deed.does.startsWith("waits")) await expectNoneOverdue(checked)
    },
    /** After all is done: what comes too late has become account credit, and every event was told once. */
    async end(): Promise<void> {
      const at = now() + LATE_PAYMENT_GRACE + 2 * DAY
      while ((await payments.creditUnappliedPayments(at, 100)) > 0);
      await expectMoney(checked, await orders(), sums)
      await expectEvents(checked, await orders())
    },
    close: opened.close,
  }
}
