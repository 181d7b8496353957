import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { AccountingEntry } from "~/billing/documents/accounting"
import type { OrderDetails } from "~/billing/orders/order-admin"
import { daysOfQuarter, taxSums } from "~/domain/accounting/accounting"
import { isOneStopShop, oneStopShopReport } from "~/domain/accounting/one-stop-shop"
import { documentSums, type IssuedDocument } from "~/domain/accounting/tax-document"
import { DAY, HOUR, type Instant } from "~/domain/calendar"
import type { Quote } from "~/domain/catalogue/pricing"
import type { BuyerPlace } from "~/domain/customers/country"
import { money } from "~/domain/money/money"
import { LATE_PAYMENT_GRACE, type Order } from "~/domain/orders/order"
import { payableStatuses } from "~/domain/orders/order-status"
import { taxTotal } from "~/domain/orders/order-tax"
import { waivableRest } from "~/domain/orders/waived-rest"
import {
  type BillingUnderTest,
  catalogueFixture,
  catalogueForImport,
  NOON,
  newOrderInput,
  opened,
  orderNow,
  paymentUpdate,
  plan,
  unique,
} from "../../../../tests/contracts/billing/billing-fixtures"
import { documentPolicy } from "../../../../tests/fixtures/document-policy"
import { germanTax } from "../../../../tests/fixtures/tax-rules"
import {
  engines,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../../tests/fixtures/temporary-database"
import { importCatalogue } from "../catalogue/catalogue.server"
import { createEmbeddedBilling, type EmbeddedBilling } from "../open-embedded-billing.server"
import { diagnoseDocuments } from "./document-check.server"

const eur = (minor: number) => money(minor, "EUR")

const business = {
  company: "Lumière SARL",
  address: ["1 rue de la Paix", "75002 Paris"],
  taxNumber: "FR40303265045",
  check: { result: "valid", at: NOON, requestId: null },
} as const
const buyers: readonly BuyerPlace[] = [
  { named: "DE", located: "DE" },
  { named: "FR", located: "FR" },
  { named: "FR", located: "FR", business },
  { named: "MA", located: "MA" },
]

const carts = fc
  .record({
    price: fc.integer({ min: 1, max: 9_999 }),
    extra: fc.integer({ min: 0, max: 3_000 }),
    off: fc.integer({ min: 0, max: 99 }),
  })
  .map(({ price, extra, off }): Quote => {
    const discount = Math.floor(((price + extra) * off) / 100)
    const lines: Quote["lines"] = [
      { kind: "plan", productId: plan.id, name: "Basic", amount: eur(price) },
      ...(extra > 0
        ? [
            {
              kind: "extraConnection",
              optionId: "1",
              choiceId: "2",
              name: "Extra",
              amount: eur(extra),
            } as const,
          ]
        : []),
      ...(discount > 0 ? [{ kind: "discount", code: "TEN", amount: eur(-discount) } as const] : []),
    ]
    return { lines, total: eur(price + extra - discount) }
  })

/** `share`: of what the step is about, in percent; above 100 it is too much. */
const steps = fc.record({
  what: fc.constantFrom(
    "order",
    "pay",
    "pay",
    "mark",
    "waive",
    "refund",
    "credit",
    "credit",
    "chargeback",
    "send",
    "send",
    "answer",
    "abort",
    "expire",
  ),
  nth: fc.nat({ max: 3 }),
  share: fc.constantFrom(1, 33, 50, 99, 100, 100, 130),
  buyer: fc.constantFrom(...buyers),
  cart: carts,
})
type Step = typeof steps extends fc.Arbitrary<infer S> ? S : never

/** What comes for an order that is covered pays it a second time. */
function dueOf({ total, received, credited }: Order, share: number): number {
  const open = total.minor - received.minor + credited.minor
  if (open > 0) return open
  return share > 100 ? total.minor : 0
}

function refundableOf(details: OrderDetails | null, toCredit: boolean): number {
  if (!details) return 0
  const { credit, outside, received } = details.refundable
  return toCredit ? credit.minor : Math.max(outside.minor, received.minor)
}

const FIRST = { what: "order", nth: 0, share: 100 } as const

describe.each(engines)("money of any orders, on %s", (engine) => {
  let database: TemporaryDatabase
  let ctx: Parameters<typeof createEmbeddedBilling>[0]
  let shop: EmbeddedBilling
  beforeEach(async () => {
    database = await openTemporaryDatabase(engine)
    const tax = { rules: germanTax, timeZone: "UTC" }
    ctx = { db: database.db, newId: database.newId, tax, documents: documentPolicy }
    await importCatalogue(ctx, catalogueForImport(catalogueFixture))
    shop = createEmbeddedBilling(ctx)
  })
  afterEach(() => database.close())

  const backend = () => shop as unknown as BillingUnderTest

  type Part = { readonly share: number; readonly at: Instant }

  /** Refunds that the gateway pays, and its answers. */
  function refundsAtGateway() {
    const onTheirWay: string[] = []
    /** It has paid the first one back, or below 100 refuses it. */
    async function answer({ share, at }: Part) {
      const id = onTheirWay.shift()
      if (id === undefined) return
      if (share < 100) await shop.refunds.refused(id, { detail: "no funds", at })
      else await shop.refunds.sent(id, { claimUrl: null, at })
    }
    return {
      answer,
      async send({ id: orderId, total: { currency } }: Order, { share, at }: Part) {
        const { refundable } = (await shop.operator.order(orderId)) ?? {}
        const amount = money(Math.ceil(((refundable?.received.minor ?? 0) * share) / 100), currency)
        if (amount.minor === 0) return
        const id = unique()
        const gateways = [{ id: "offshore", isWholeOnly: false }] as const
        const how = { gateways, address: null, reason: "asked", endsService: false, at }
        const begun = await shop.refunds.begin({ ...how, id, orderId, amount })
        if (begun.kind === "begun") onTheirWay.push(id)
      },
      async answerAll(at: Instant) {
        while (onTheirWay.length > 0) await answer({ share: onTheirWay.length % 2 === 0 ? 1 : 100, at })
      },
    }
  }

  /** Takes steps with the orders of one customer. Returns the orders. */
  async function take(all: readonly Step[]): Promise<readonly Order[]> {
    const first = await newOrderInput(shop.billing, {})
    const owner = { customerId: first.customerId, accountCreditScope: "account" } as const
    const orders: Order[] = []
    const paid = new Map<string, { attempt: Awaited<ReturnType<typeof opened>>; gross: number }>()
    const atGateway = refundsAtGateway()
    let at: Instant = NOON
    const doers: Record<Step["what"], (step: Step, order: Order) => Promise<unknown>> = {
      async order({ cart, buyer }) {
        const input = await newOrderInput(shop.billing, { ...owner, quote: cart, buyer, at })
        orders.push(await shop.billing.placeOrder({ ...input, deadline: at + DAY }))
      },
      async pay({ share }, order) {
        const due = dueOf(order, share)
        const before = paid.get(order.id) ?? (await openedOf(order, due))
        if (!before || due === 0) return
        const { attempt } = before
        const gross = before.gross + Math.ceil((due * share) / 100)
        paid.set(order.id, { attempt, gross })
        await report(paymentUpdate(attempt, share < 100 ? "partially-paid" : "paid", gross))
      },
      mark: (_, { id }) => shop.billing.applyOrderEvent(id, "paid", at, "operator: by bank"),
      async waive(_, order) {
        const rest = waivableRest(order)
        if (rest) await shop.operator.waiveRest(order.id, { rest, reason: "fee", at })
      },
      refund: ({ share }, order) => refund(order, share, false),
      credit: ({ share }, order) => refund(order, share, true),
      async chargeback({ share }, { id }) {
        const before = paid.get(id)
        const attempt =
          before && (await shop.operator.order(id))?.attempts.find(({ id: it }) => it === before.attempt.id)
        if (!before || !attempt || attempt.received.minor === 0) return
        const back =
          before.gross -
          attempt.received.minor +
          Math.ceil((attempt.received.minor * Math.min(share, 100)) / 100)
        await report({ ...paymentUpdate(before.attempt, "refunded", before.gross), refunded: eur(back) })
      },
      send: ({ share }, order) => atGateway.send(order, { share, at }),
      answer: ({ share }) => atGateway.answer({ share, at }),
      abort: (_, { id }) => shop.billing.applyOrderEvent(id, "aborted", at),
      async expire(_, { id, deadline }) {
        await shop.billing.applyOrderEvent(id, "deadlinePassed", at)
        await shop.payments.creditUnappliedPayments(deadline + LATE_PAYMENT_GRACE + HOUR, 9)
      },
    }
    const report = (update: ReturnType<typeof paymentUpdate>) =>
      shop.payments.recordPaymentUpdate("offshore", update, at)
    const openedOf = async (order: Order, due: number) =>
      due > 0 && payableStatuses.includes(order.status)
        ? { attempt: await opened(backend(), order, due), gross: 0 }
        : null
    async function refund({ id }: Order, share: number, toCredit: boolean) {
      const amount = eur(Math.ceil((refundableOf(await shop.operator.order(id), toCredit) * share) / 100))
      if (amount.minor === 0) return
      await shop.operator.recordRefund(id, { key: unique(), amount, toCredit, reason: "asked", at })
    }
    for (const step of all) {
      at += 1_000
      const order = orders[step.nth % Math.max(1, orders.length)]
      await doers[step.what](step, order ? await orderNow(backend(), order) : (undefined as never))
    }
    await atGateway.answerAll(at)
    return Promise.all(orders.map((order) => orderNow(backend(), order)))
  }

  const documentsOf = ({ id }: Order) => shop.documents.taxDocumentsOf(id)
  const grossOf = (documents: readonly IssuedDocument[]) =>
    documents.reduce(
      (sum, { kind, lines }) => sum + (kind === "credit-note" ? -1 : 1) * documentSums(lines).gross,
      0,
    )

  async function entriesOf(orders: readonly Order[]): Promise<readonly AccountingEntry[]> {
    const ids = new Set(orders.map(({ id }) => id))
    const span = { from: NOON, until: NOON + 400 * DAY }
    const entries: AccountingEntry[] = []
    for (let after: string | null | undefined; after !== null; ) {
      const page = await shop.operator.accountingEntries(span, { after: after ?? null, limit: 50 })
      entries.push(...page.entries)
      after = page.next
    }
    return entries.filter(({ orderId }) => orderId !== null && ids.has(orderId))
  }

  /** What the accounting has of an order: money less what became account credit. */
  const earned = (entries: readonly AccountingEntry[]) =>
    entries.reduce((sum, { kind, amount }) => sum + (kind === "credit" ? -1 : 1) * amount.minor, 0)

  /** What was waived of an order, which nobody pays, unless it arrives all the same. */
  async function waivedOf({ id }: Order): Promise<number> {
    const waived = (await shop.billing.timeline(id)).filter(({ kind }) => kind === "rest-waived")
    return waived.reduce((sum, { amount }) => sum + (amount?.minor ?? 0), 0)
  }

  async function expectAgreement(orders: readonly Order[]): Promise<void> {
    expect(await shop.operator.findImbalances()).toEqual([])
    expect(await diagnoseDocuments(ctx)).toMatchObject({ ok: true })
    const entries = await entriesOf(orders)
    for (const order of orders) {
      expectTax(order)
      const own = entries.filter(({ orderId }) => orderId === order.id)
      const { movements = [], refundable } = (await shop.operator.order(order.id)) ?? {}
      expect(sumOf(own.filter(({ kind }) => kind !== "credit"))).toBe(sumOf(movements))
      const documents = await documentsOf(order)
      // Money for an order that is not paid is nothing that was sold.
      if (documents.length === 0) continue
      expectInvoice(documents, order)
      const unpaid = grossOf(documents) - earned(own)
      expect(unpaid).toBeGreaterThanOrEqual(0)
      expect(unpaid).toBeLessThanOrEqual(await waivedOf(order))
      expect(refundable?.credit.minor).toBe(earned(own))
    }
  }

  const sumOf = (of: readonly Pick<AccountingEntry, "amount">[]) =>
    of.reduce((sum, { amount }) => sum + amount.minor, 0)

  function expectTax({ total, tax }: Order): void {
    if (!tax) return
    const { net, tax: ofLines, gross } = taxTotal(tax)
    expect([net + ofLines, gross]).toEqual([gross, total.minor])
  }

  function expectInvoice([invoice]: readonly IssuedDocument[], { total }: Order): void {
    if (!invoice) return
    expect(documentSums(invoice.lines).gross).toBe(total.minor)
    const elsewhere = invoice.payments.filter(({ by }) => by === "other")
    for (const { amount } of elsewhere) expect(amount).toBeLessThanOrEqual(total.minor)
  }

  async function expectReport(orders: readonly Order[]): Promise<void> {
    const all = (await Promise.all(orders.map(documentsOf))).flat()
    const quarter = { year: 2026, quarter: 2 }
    const { until } = daysOfQuarter(quarter)
    const { supplies } = oneStopShopReport(all, germanTax, quarter)
    const declared = all.filter((it) => isOneStopShop(it, germanTax) && it.issuedOn <= until)
    const sums = taxSums(declared)
    const of = (rows: readonly { net: number; tax: number }[]) => rows.map(({ net, tax }) => [net, tax])
    expect(of(supplies)).toEqual(of(sums))
  }

  test("agrees: orders, taxes, documents, ledgers, accounting and the one-stop shop", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 3, maxLength: 14 }), carts, async (all, cart) => {
        const orders = await take([{ ...FIRST, cart, buyer: buyers[1] as BuyerPlace }, ...all])
        await expectAgreement(orders)
        await expectReport(orders)
      }),
      // The database keeps what a failed run has left, so that no smaller one would say more.
      { numRuns: 25, endOnFailure: true },
    )
  }, 120_000)
})
