import { expect } from "vitest"
import type { AccountingEntry } from "~/billing/accounting"
import type { EmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import type { LoggedServices } from "~/context/services.server"
import type { Order } from "~/domain/order"
import { paidStatuses } from "~/domain/order-status"
import { documentSums, type IssuedDocument } from "~/domain/tax-document"
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
  /** Orders that the operator has marked as paid with an earlier version, which made no entry of it. */
  readonly withoutEntry: ReadonlySet<string>
}

export type Checked = {
  readonly ctx: TemporaryDatabase
  readonly services: LoggedServices
  readonly billing: EmbeddedBilling
}

/** Checks of the clock and the set-up, of which a test has its own. */
const notOfMoney = ["clock", "services past their end"]

/** No cent appears or vanishes: what came is what orders have, and account credit. */
export async function expectMoney(checked: Checked, orders: readonly Order[], sums: Sums): Promise<void> {
  const { billing, services } = checked
  expect(await billing.operator.findImbalances()).toEqual([])
  const held = await Promise.all(orders.map((order) => heldBy(checked, order)))
  const credit = await balanceOf(checked)
  if (!sums.mayOwe) expect(credit).toBeGreaterThanOrEqual(0)
  expect(held.reduce((sum, it) => sum + it, credit)).toBe(sums.came - sums.back + sums.granted)
  const diagnosis = await billing.operator.diagnose(services.now())
  expect(diagnosis.filter(({ ok, check }) => ok === false && !notOfMoney.includes(check))).toEqual([])
  const entries = await entriesOf(checked)
  for (const [at, order] of orders.entries()) {
    const own = entries.filter(({ orderId }) => orderId === order.id)
    await expectDocuments(checked, order, {
      entries: own,
      held: held[at] ?? 0,
      hasEntry: !sums.withoutEntry.has(order.id),
    })
  }
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

async function balanceOf({ ctx }: Checked): Promise<number> {
  const rows = await ctx.db.selectFrom("credits").select("balance").execute()
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
  expect(grossOf(documents)).toBe(held)
  const [invoice] = documents
  const billed = invoice ? documentSums(invoice.lines).gross : 0
  // A service of a renewal whose terms do not apply any more is not billed.
  if (order.kind === "renewal") expect(billed).toBeLessThanOrEqual(order.total.minor)
  else expect(billed).toBe(order.total.minor)
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
