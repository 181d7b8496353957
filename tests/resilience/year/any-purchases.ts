import { expect } from "vitest"
import type { Attempt } from "~/billing/payments/payment-repository"
import { DAY, MINUTE, SECOND } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { LATE_PAYMENT_GRACE, type Order } from "~/domain/orders/order"
import { payableStatuses } from "~/domain/orders/order-status"
import { outstanding } from "~/domain/orders/settlement"
import { OPERATOR_REFERENCE } from "~/domain/orders/timeline"
import type { PaymentUpdate } from "~/domain/payments/payment"
import { placeOrder } from "~/flows/checkout/place-order.server"
import { pricedFor } from "~/flows/checkout/priced-for.server"
import { priceChoice } from "~/flows/checkout/quote-choices.server"
import { startTrial } from "~/flows/checkout/start-trial.server"
import { checkTaxNumbers } from "~/flows/jobs/check-tax-number.server"
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
import { parseVatNumber } from "~/vat-numbers/parse-vat-number.server"
import { unique } from "../../contracts/billing/billing-fixtures"
import { documentPolicy } from "../../fixtures/document-policy"
import { importOddPrices } from "../../fixtures/kinds-of-sale"
import { request } from "../../fixtures/purchase"
import { openShopOn } from "../../fixtures/shop-on-engine"
import type { Engine } from "../../fixtures/temporary-database"
import { termPolicy } from "../../fixtures/term-policy"
import { choice } from "../../fixtures/test-shop"
import { expectBookkeeping } from "./bookkeeping-of-purchases"
import {
  accountingInZlotys,
  type Buyer,
  buyersOf,
  type KindOfShop,
  lumiere,
  taxOf,
} from "./buyers-of-purchases"
import { expectEffects } from "./effects-of-purchases"
import { expectEvents } from "./events-of-purchases"
import { expectMoney } from "./money-of-purchases"
import { readSales, type StoredSales } from "./stored-sales"
import { expectNoneOverdue, expectPaidTime } from "./time-of-purchases"
import { expectSameWorth, unusedTime } from "./worth-of-purchases"

/** Hours for which the first plan may be tried. */
const TRIAL = 48

/** Something that a customer, the operator or a gateway does. */
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
  "another customer comes",
  "begins a trial",
  "states a business",
  "is a consumer again",
  "gets an answer of the register",
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
  "asks the gateway to refund",
  "hears of the refunds",
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

/** A refund that the gateway was asked for, and has not answered about. */
type AskedRefund = { readonly id: string; readonly buyer: Buyer; readonly orderId: string }

/** A shop in which anything happens in any order. The returned function does one thing, and checks everything after it. */
export async function startPurchases(engine: Engine, kind: KindOfShop) {
  const opened = await openShopOn(engine, {
    terms: { ...termPolicy, planChange: kind.planChange },
    tax: taxOf(kind),
    taxFile: accountingInZlotys,
    documents: documentPolicy,
    webhooks: { always: true, creditsLow: 5 },
  })
  await importOddPrices(opened.database, { trialHours: TRIAL })
  const { shop } = opened
  const { billing: embedded } = shop
  const { operator } = embedded
  const buyers = buyersOf(kind)
  let [buyer] = buyers
  /** What the register of tax numbers answers. */
  let answer = kind.numberAnswer
  const services = pricedFor(
    {
      ...shop.services,
      vatNumbers: {
        parse: parseVatNumber,
        check: async () => ({ result: answer, at: now(), requestId: null }),
      },
    },
    async () => buyer.place,
  )
  const { billing, payments, refunds } = services
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
  const paymentsOf = new Map<string, Payment[]>()
  const asked: AskedRefund[] = []

  const now = () => shop.services.now()
  const amount = (minor: number) => money(minor, buyer.currency)
  const customer = () =>
    buyer.customerId === null ? null : ({ id: buyer.customerId, reach: "account" } as const)
  const pricing = () => ({ country: buyer.country, currency: buyer.currency, buyer: buyer.place })
  const form = () => ({
    key: unique(),
    orderId: null,
    gateway: "offshore" as const,
    locale: "en-en" as const,
    address: null,
    country: buyer.country,
    browser: null,
    buyer: buyer.place,
    customer: customer(),
  })

  async function placed(placement: { kind: string; order?: Order }): Promise<void> {
    const { order } = placement
    if (placement.kind !== "placed" || !order) return
    if (!buyer.orderIds.includes(order.id)) buyer.orderIds.push(order.id)
    if (buyer.customerId === null) await signIn(order.customerId)
  }

  async function signIn(customerId: string): Promise<void> {
    buyer.customerId = customerId
    if (buyer.place.business) await billing.setBusiness(customerId, buyer.place.business)
  }

  const orders = async () => Promise.all(buyer.orderIds.map(orderNow))
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
  async function servicesOf(of: "plan" | "reseller" | "line") {
    const rows = await opened.database.db
      .selectFrom("services")
      .innerJoin("orders", "orders.id", "services.order_id")
      .select("services.id")
      .where("orders.kind", "=", of)
      .where("services.client_id", "=", buyer.customerId)
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
    while ((await checkTaxNumbers(services)) > 0);
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
    const { db } = opened.database
    const rows = await db.selectFrom("orders").select(["id", "client_id"]).orderBy("placed_at").execute()
    for (const { id, client_id } of rows) {
      const own = buyers.find(({ customerId }) => customerId === client_id)
      if (own && !own.orderIds.includes(id)) own.orderIds.push(id)
    }
  }

  async function report(payment: Payment, update: Pick<PaymentUpdate, "status" | "refunded">): Promise<void> {
    const { attempt, gross } = payment
    const received = money(gross, attempt.amount.currency)
    const reported = { eventKey: unique(), attemptId: attempt.id, received, transactionId: null }
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
    buyer.sums.came += more
    await report(payment, { status: share < 100 ? "partially-paid" : "paid" })
  }

  /** Pays the orders after the first ones. */
  async function payNew(known: number): Promise<void> {
    for (const id of buyer.orderIds.slice(known)) await pay(await orderNow(id), 100)
  }

  async function refund({ id }: Order, share: number, toCredit: boolean): Promise<void> {
    const most = await refundable(id, toCredit)
    const minor = Math.ceil((most * share) / 100)
    if (minor === 0) return
    const wanted = { key: unique(), amount: amount(minor), toCredit, reason: "asked", at: now() }
    const { kind: result } = await operator.recordRefund(id, wanted)
    expect([minor > most ? "too-much" : "recorded", ...underWay(id)]).toContain(result)
    if (result === "recorded" && !toCredit) await notePaidBack(id, minor)
  }

  /** What the gateway is paying back is known once it has: until then a refund may be refused. */
  const underWay = (id: string) =>
    asked.filter(({ orderId }) => orderId === id).map(() => "refund-under-way" as const)

  async function refundable(orderId: string, toCredit: boolean): Promise<number> {
    const { credit, outside, received } = (await detailsOf(orderId)).refundable
    return toCredit ? credit.minor : Math.max(outside.minor, received.minor)
  }

  /** Later reports of the gateway have what the operator has recorded. */
  async function notePaidBack(orderId: string, minor: number): Promise<void> {
    buyer.sums.back += minor
    buyer.sums.mayOwe = true
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
    await payBack(payment, buyer, minor)
    await reportRefunds(payment)
  }

  async function payBack(payment: Payment, { sums }: Buyer, minor: number): Promise<void> {
    payment.back += minor
    sums.back += minor
    sums.mayOwe = true
  }

  const reportRefunds = (payment: Payment) =>
    report(payment, { status: "refunded", refunded: money(payment.back, payment.attempt.amount.currency) })

  async function askGateway({ id: orderId }: Order, share: number): Promise<void> {
    const most = (await detailsOf(orderId)).refundable.received.minor
    const minor = Math.ceil((most * share) / 100)
    if (minor === 0) return
    const id = unique()
    const gateways = [{ id: "offshore", isWholeOnly: false }] as const
    const wanted = { id, orderId, amount: amount(minor), address: null, reason: "asked", at: now() }
    const { kind } = await refunds.begin({ ...wanted, gateways, endsService: false })
    if (kind === "begun") asked.push({ id, buyer, orderId })
  }

  /** The gateway has paid back what it was asked for, unless it has not as much any more. Its own report may come first. */
  async function settleRefund({ id, buyer: owner, orderId }: AskedRefund, isReportFirst: boolean) {
    const refund = (await refunds.find(id)) ?? expect.fail(`no refund ${id}`)
    const payment = paymentsOf.get(orderId)?.find(({ attempt }) => attempt.id === refund.paymentId)
    const { minor } = refund.amount
    if (!payment || payment.gross - payment.back < minor)
      return refunds.refused(id, { detail: "not as much", at: now() })
    await payBack(payment, owner, minor)
    if (isReportFirst) await reportRefunds(payment)
    await refunds.sent(id, { claimUrl: null, at: now() })
    if (!isReportFirst) await reportRefunds(payment)
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

  async function orderOf(of: "plan" | "reseller", plan: string, promoCode: string | null): Promise<void> {
    const { email } = buyer
    const choices = { ...choice, kind: of, plan, promoCode, extraConnection: false, email }
    const priced = await priceChoice(services, choices, pricing())
    if (priced.kind !== "priced") return
    const agreed = { agreedTotal: priced.quote.total.minor, pricing: pricing() }
    const sent = request({ choices, customer: customer(), key: unique(), ...agreed })
    await placed(await placeOrder(services, sent))
  }

  /** Later orders of the account are those of a business, or of a consumer. */
  async function stateBusiness(isBusiness: boolean): Promise<void> {
    if (buyer.currency !== "EUR") return
    const { place, customerId } = buyer
    const check = { result: answer, at: now(), requestId: null }
    const business = isBusiness ? { ...lumiere, check } : undefined
    buyer.place = { ...place, named: "FR", located: "FR", business }
    if (customerId !== null) await billing.setBusiness(customerId, business ?? null)
  }

  async function resellerForm() {
    const [service] = (await servicesOf("reseller")).filter(({ status }) => status === "Active")
    const own = customer()
    return service && own ? { ...form(), customer: own, service } : null
  }

  const codes = [null, "PERCENT", "FIXED", "LASTING", "TWICE"]
  const doers: { readonly [Does in DeedName]: (deed: Deed) => Promise<unknown> } = {
    async waits({ count }) {
      for (let half = 0; half < 2 * count; half++) await live()
    },
    async "waits long"({ count }) {
      for (let half = 0; half < 20 * count; half++) await live()
    },
    async "another customer comes"() {
      buyer = buyers.find((it) => it !== buyer) ?? buyer
    },
    async "begins a trial"() {
      const { email } = buyer
      const by = { email, customer: customer(), pricing: pricing(), address: null, browser: null }
      const from = { planId: "1", key: unique(), locale: "en-en", affiliateId: null } as const
      const started = await startTrial(services, { ...by, ...from })
      if (started.kind === "started") await placed({ ...started, kind: "placed" })
    },
    "states a business": () => stateBusiness(true),
    "is a consumer again": () => stateBusiness(false),
    async "gets an answer of the register"({ count }) {
      answer = count === 1 ? "invalid" : "valid"
      await work()
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
      const bought = [10_00, 25_00, 50_00][count - 1] ?? 0
      await placed(await topUp(services, { ...form(), customer: own, service, amount: bought }))
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
      buyer.sums.came += outstanding(order).minor
      await billing.applyOrderEvent(order.id, "paid", now(), `${OPERATOR_REFERENCE}by bank`)
    },
    /** Up to migration 0080 what the operator had received had no entry in the ledger. */
    async "marked as paid before entries"({ nth }) {
      const order = await find(nth, "unpaid")
      if (!order) return
      buyer.sums.came += outstanding(order).minor
      buyer.sums.withoutEntry.set(order.id, outstanding(order).minor)
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
    async "asks the gateway to refund"({ nth, share }) {
      const order = await find(nth, "paid")
      if (order) await askGateway(order, share)
    },
    async "hears of the refunds"({ count }) {
      for (const refund of asked.splice(0)) await settleRefund(refund, count === 1)
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
      buyer.sums.granted += share
      await operator.grantAccountCredit(own.id, {
        key: unique(),
        amount: amount(share),
        reason: "sorry",
        at: now(),
      })
    },
    "buys reseller credits": () =>
      buyer.customerId === null ? Promise.resolve() : orderOf("reseller", "12", null),
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

  const expectAllMoney = async () =>
    expectMoney(
      checked,
      await Promise.all(
        buyers.map(async ({ orderIds, ...it }) => ({
          ...it,
          orders: await Promise.all(orderIds.map(orderNow)),
        })),
      ),
    )

  /** What the time of each service is worth, of which a change of plan may take none. */
  const worthBefore = ({ does }: Deed, before: StoredSales) =>
    unusedTime(checked, does === "changes plan" ? before : { services: [] })

  return {
    /** Does something, and checks money and paid time. */
    async take(deed: Deed): Promise<void> {
      wait(MINUTE + SECOND)
      const before = await readSales(checked)
      const worth = await worthBefore(deed, before)
      const known = buyer.orderIds.length
      const begun = now()
      await doers[deed.does](deed)
      if (deed.isPaid && deed.does !== "another customer comes") await payNew(known)
      await work()
      await noteOrdersOfShop()
      await expectAllMoney()
      const after = await readSales(checked)
      const compared = { before, after, begun, deed: deed.does, prices: kind.prices }
      expectPaidTime(compared)
      await expectEffects(checked, compared)
      if (deed.does === "changes plan") await expectSameWorth(checked, compared, worth)
      if (deed.does.startsWith("waits")) await expectNoneOverdue(checked)
    },
    /** After all is done: what comes too late has become account credit, and every event was told once. */
    async end(): Promise<void> {
      const at = now() + LATE_PAYMENT_GRACE + 2 * DAY
      while ((await payments.creditUnappliedPayments(at, 100)) > 0);
      await expectAllMoney()
      const all = buyers.flatMap(({ orderIds }) => orderIds)
      await expectEvents(checked, await Promise.all(all.map(orderNow)))
      await expectBookkeeping(checked, buyers)
    },
    close: opened.close,
  }
}
