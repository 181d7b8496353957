import { expect } from "vitest"
import type { AccountingEntry } from "~/billing/documents/accounting"
import type { EmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import type { LoggedServices } from "~/context/services.server"
import {
  currentDocuments,
  documentSums,
  type IssuedDocument,
  linesWithoutTax,
} from "~/domain/accounting/tax-document"
import type { Currency } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { paidStatuses } from "~/domain/orders/order-status"
import { taxOwedBack } from "~/domain/orders/order-tax"
import type { TemporaryDatabase } from "../../fixtures/temporary-database"

/** Money of a customer, as the customer and the operator see it, in minor units. */
export type Sums = {
  /** Sent to gateways, or paid elsewhere to the operator. */
  readonly came: number
  /** Paid back by gateways or by the operator. */
  readonly back: number
  /** Account credit that no payment has bought. */
  readonly granted: number
  /** Money was paid back, of which account credit may have been spent. */
  readonly mayOwe: boolean
  /** What the operator had received of orders that they have marked as paid with an earlier version, which made no entry of it. */
  readonly withoutEntry: ReadonlyMap<string, number>
}

export type Checked = {
  readonly ctx: TemporaryDatabase
  readonly services: LoggedServices
  readonly billing: EmbeddedBilling
}

/** Checks of the clock and the set-up, of which a test has its own. */
const notOfMoney = ["clock", "services past their end"]

/** A customer with their orders. */
export type Account = {
  readonly customerId: string | null
  readonly currency: Currency
  readonly orders: readonly Order[]
  readonly sums: Sums
}

/** No cent appears or vanishes: what came from a customer is what their orders have, and account credit. */
export async function expectMoney(checked: Checked, accounts: readonly Account[]): Promise<void> {
  const { billing, services } = checked
  expect(await billing.operator.findImbalances()).toEqual([])
  const diagnosis = await billing.operator.diagnose(services.now())
  expect(diagnosis.filter(({ ok, check }) => ok === false && !notOfMoney.includes(check))).toEqual([])
  const entries = await entriesOf(checked)
  for (const account of accounts) await expectMoneyOf(checked, account, entries)
}

async function expectMoneyOf(
  checked: Checked,
  { customerId, currency, orders, sums }: Account,
  entries: readonly AccountingEntry[],
): Promise<void> {
  const held = await Promise.all(orders.map((order) => heldBy(checked, order)))
  const credit = await balanceOf(checked, { customerId, currency })
  if (!sums.mayOwe) expect(credit).toBeGreaterThanOrEqual(0)
  const inOrders = held.reduce((sum, it) => sum + it, 0)
  expect(inOrders + credit).toBe(sums.came - sums.back + sums.granted)
  for (const order of orders.filter(({ kind }) => kind === "plan")) await expectWorth(checked, order, orders)
  for (const [at, order] of orders.entries()) {
    const own = entries.filter(({ orderId }) => orderId === order.id)
    expect(own.every(({ amount }) => amount.currency === currency)).toBe(true)
    await expectDocuments(checked, order, {
      entries: own,
      held: held[at] ?? 0,
      hasEntry: !sums.withoutEntry.has(order.id),
    })
  }
}

/** The time of a service is worth no more than what its orders have been paid with. Tax that is owed back to a business is none of it. */
async function expectWorth(checked: Checked, { serviceId }: Order, orders: readonly Order[]): Promise<void> {
  const { billing, now } = checked.services
  const unused = (await billing.planFacts(serviceId, now()))?.unused.minor ?? 0
  expect(unused).toBeGreaterThanOrEqual(0)
  if (unused === 0) return
  const paid = orders.filter(({ status }) => paidStatuses.includes(status))
  const amounts = await Promise.all(paid.map((order) => paidFor(checked, serviceId, order)))
  expect(unused).toBeLessThanOrEqual(amounts.reduce((sum, it) => sum + it, 0))
}

/** What a paid order has of the money, if it is for a service. */
async function paidFor(checked: Checked, serviceId: string, order: Order): Promise<number> {
  const { billing } = checked.services
  const items = order.kind === "renewal" ? await billing.renewalItems(order.id) : [order]
  if (items.every((it) => it.serviceId !== serviceId)) return 0
  return (await heldBy(checked, order)) - (order.tax ? taxOwedBack(order.tax) : 0)
}

/** What an order has of the money: what its invoice was paid with, less refunds, or what waits for the rest. */
export async function heldBy(
  { billing }: Pick<Checked, "billing">,
  { id, kind, status, received, credited }: Order,
) {
  if (!paidStatuses.includes(status)) return received.minor - credited.minor
  const details = await billing.operator.order(id)
  return kind === "topup" ? 0 : (details?.refundable.credit.minor ?? 0)
}

/** Account credit of a customer, who has it in one currency. */
export async function balanceOf(
  { ctx }: Checked,
  { customerId, currency }: Pick<Account, "customerId" | "currency">,
): Promise<number> {
  const rows = await ctx.db
    .selectFrom("credits")
    .select(["balance", "currency"])
    .where("client_id", "=", customerId)
    .execute()
  expect(rows.filter((it) => it.currency !== currency)).toEqual([])
  return rows.reduce((sum, { balance }) => sum + Number(balance), 0)
}

async function entriesOf({ billing }: Checked): Promise<readonly AccountingEntry[]> {
  const entries: AccountingEntry[] = []
  const span = { from: 0, until: Number.MAX_SAFE_INTEGER }
  for (let after: string | null | undefined; after !== null; ) {
    const page = await billing.operator.accountingEntries(span, { after: after ?? null, limit: 100 })
    entries.push(...page.entries)
    after = page.next
  }
  return entries
}

type Held = {
  readonly entries: readonly AccountingEntry[]
  readonly held: number
  readonly hasEntry: boolean
}

/** The documents of an order have what it has, and the accounting too. */
async function expectDocuments(
  { billing }: Checked,
  order: Order,
  { entries, held, hasEntry }: Held,
): Promise<void> {
  const details = (await billing.operator.order(order.id)) ?? expect.fail("no order")
  const moved = entries.filter(({ kind }) => kind !== "credit")
  expect(sumOf(moved)).toBe(sumOf(details.movements))
  const documents = await billing.documents.taxDocumentsOf(order.id)
  if (documents.length === 0) return
  const credited = entries.filter(({ kind }) => kind === "credit")
  if (hasEntry) expect(sumOf(moved) - sumOf(credited)).toBe(held)
  // Tax that is owed back after a late confirmation is billed by none.
  const owed = order.tax ? taxOwedBack(order.tax) : 0
  expect(grossOf(documents)).toBe(held - owed)
  expectCreditNotes(documents)
  const [invoice] = documents
  const billed = invoice ? documentSums(invoice.lines).gross : 0
  // A service of a renewal whose terms do not apply any more is not billed.
  if (order.kind === "renewal") expect(billed).toBeLessThanOrEqual(order.total.minor)
  else expect(billed).toBe(order.total.minor)
}

type Amounts = Readonly<Record<string, number>>

/**
 * Credit notes never take back more of an invoice than it has: of no line, no net amount and no tax, in the currency of accounting neither.
 * What takes back all of it leaves nothing. Beside an invoice without tax that replaced one, what had been paid back before may be
 * invoiced again: together they have no more than the first one, without its tax.
 */
function expectCreditNotes(documents: readonly IssuedDocument[]): void {
  const [first, ...others] = documents
  if (!first) return
  const current = currentDocuments(documents)
  const [inPlace, ...after] = current
  const isReplaced = inPlace && inPlace !== first
  expectWithin(amountsIn(first), [first, isReplaced ? others.slice(0, -current.length) : others])
  if (isReplaced)
    expectWithin(amountsIn({ ...inPlace, lines: linesWithoutTax(first.lines) }), [inPlace, after])
}

type Corrected = readonly [invoice: IssuedDocument, corrections: readonly IssuedDocument[]]

/** An invoice less its corrections has nothing below zero, and no more than `most`. */
function expectWithin(most: Amounts, [invoice, corrections]: Corrected): void {
  const left = corrections
    .map((it) => [it.kind, amountsIn(it)] as const)
    .reduce(afterCorrection, amountsIn(invoice))
  for (const [part, minor] of Object.entries(left)) {
    expect(minor, part).toBeGreaterThanOrEqual(0)
    expect(minor, part).toBeLessThanOrEqual(most[part] ?? 0)
  }
  if (left.gross === 0) expect(Object.values(left).every((minor) => minor === 0)).toBe(true)
}

/** All amounts of a document: of each line and rate, and in all. */
function amountsIn({ lines, accounting }: IssuedDocument): Amounts {
  const parts = ["net", "tax", "gross"] as const
  const ofLines = lines.flatMap((line, at) => parts.map((part) => [`${part} of line ${at}`, line[part]]))
  const inAll = Object.entries(documentSums(lines))
  const inZlotys = (accounting?.sums ?? []).flatMap(({ basisPoints, net, tax }) => [
    [`net at ${basisPoints} in zlotys`, net],
    [`tax at ${basisPoints} in zlotys`, tax],
  ])
  return Object.fromEntries([...ofLines, ...inAll, ...inZlotys])
}

function afterCorrection(
  left: Amounts,
  [kind, amounts]: readonly [IssuedDocument["kind"], Amounts],
): Amounts {
  const sign = kind === "credit-note" ? -1 : 1
  return Object.fromEntries(
    Object.entries(left).map(([part, minor]) => [part, minor + sign * (amounts[part] ?? 0)]),
  )
}

function sumOf(of: readonly Pick<AccountingEntry, "amount">[]): number {
  return of.reduce((sum, { amount }) => sum + amount.minor, 0)
}

function grossOf(documents: readonly IssuedDocument[]): number {
  return documents.reduce(
    (sum, { kind, lines }) => sum + (kind === "credit-note" ? -1 : 1) * documentSums(lines).gross,
    0,
  )
}
