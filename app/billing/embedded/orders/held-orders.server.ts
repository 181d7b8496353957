import { BillingError, type NewQuote, type Release } from "~/billing/billing"
import type { Instant } from "~/domain/calendar"
import { money } from "~/domain/money"
import type { Order } from "~/domain/order"
import { LINE_COSTS } from "~/domain/reseller-credits"
import { codeKey } from "../catalogue/normalize-code"
import { takePromotion } from "../catalogue/promotions.server"
import { Overtaken } from "../db/engines/database-errors.server"
import type { OrderRow } from "../db/schema/order-rows"
import { atOnce, type Books } from "../db/transaction.server"
import { spendCredit } from "../payments/customer-credit.server"
import { heldBy, transfer } from "../reseller-credits/credit-ledger.server"
import { fulfil } from "./fulfilment.server"
import { checkSum, writeLines } from "./insert-order.server"
import { carryOut, settleIfCovered } from "./order-transitions.server"
import { order } from "./orders.server"
import { type Telling, tell } from "./timeline.server"

/** The operator lets a held order go on: see `Billing.releaseOrder`. */
export async function releaseOrder(books: Books, id: string, release: Release): Promise<Order | null> {
  return atOnce(books, async (inside) => {
    const row = await rowOf(inside, id)
    if (row?.status !== "fraud" || row.decision !== null) return order(inside, id)
    const { at, reference, quoteHolds } = release
    await decide(inside, row, { decision: "released" })
    const told = quoteHolds ? await reinstate(inside, row, release) : []
    await tell(inside, id, [{ kind: "released", at, reference }, ...told])
    return order(inside, id)
  })
}

/** The operator refuses a held order for good: see `Billing.refuseOrder`. */
export async function refuseOrder(
  books: Books,
  id: string,
  { at, reference }: { at: Instant; reference: string },
): Promise<Order | null> {
  return atOnce(books, async (inside) => {
    const row = await rowOf(inside, id)
    if (row?.status !== "fraud" || row.decision === "refused") return order(inside, id)
    await decide(inside, row, { decision: "refused" })
    await tell(inside, id, [{ kind: "refused", at, reference }])
    return order(inside, id)
  })
}

/** The buyer agrees to the new price of a released order: see `Billing.requoteOrder`. */
export async function requoteOrder(books: Books, id: string, wish: NewQuote): Promise<Order> {
  checkSum(wish.quote)
  return atOnce(books, async (inside) => {
    const row = await rowOf(inside, id)
    if (row?.status === "fraud" && row.decision === "released") await placeAgain(inside, row, wish)
    const agreed = await order(inside, id)
    if (!agreed || agreed.status === "fraud")
      throw new BillingError("refused", `Order ${id} waits for nobody's consent`)
    return agreed
  })
}

/** The lines, the invoice and the code of the new quote in the place of the old ones. */
async function placeAgain(books: Books, row: OrderRow, wish: NewQuote): Promise<void> {
  const { db } = books
  const { id } = row
  const { quote, promoCode, at } = wish
  const promo_key = promoCode === null ? null : codeKey(promoCode)
  await decide(books, row, { promo_key })
  await db
    .updateTable("invoices")
    .set({ total: quote.total.minor })
    .where("order_id", "=", id)
    .where("currency", "=", quote.total.currency)
    .returning("id")
    .executeTakeFirstOrThrow()
  await db.deleteFrom("order_lines").where("order_id", "=", id).execute()
  await writeLines(books, id, quote.lines)
  const told = await reinstate(books, { ...row, promo_key }, wish)
  await tell(books, id, [{ kind: "requoted", at, amount: quote.total }, ...told])
}

function rowOf({ db }: Books, id: string): Promise<OrderRow | undefined> {
  return db.selectFrom("orders").selectAll().where("id", "=", id).executeTakeFirst()
}

/** Writes on an order what has been decided, unless somebody else has decided or moved it meanwhile. */
async function decide(
  { db }: Books,
  row: OrderRow,
  change: Partial<Pick<OrderRow, "decision" | "promo_key">>,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("orders")
    .set(change)
    .where("id", "=", row.id)
    .where("status", "=", row.status)
    .where("decision", row.decision === null ? "is" : "=", row.decision)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Overtaken(`Order ${row.id}`)
}

type Again = { readonly at: Instant; readonly deadline: Instant }

/**
 * What an order that is held has given back, or never had, is its own again: it asks for its money, uses its code and
 * the credit its buyer may use, and is paid at once where that leaves nothing. Throws `BillingError` "refused" where its
 * code has no use left, or a reseller has no credits for his line.
 */
async function reinstate(books: Books, row: OrderRow, { at, deadline }: Again): Promise<Telling[]> {
  const { db } = books
  const { id, kind } = row
  if (!(await carryOut(books, id, "released"))) throw new Overtaken(`Order ${id}`)
  await db.updateTable("orders").set({ deadline }).where("id", "=", id).execute()
  const invoice = await db
    .updateTable("invoices")
    .set({ status: "unpaid" })
    .where("order_id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await db
    .updateTable("services")
    .set({ status: "Pending" })
    .where("order_id", "=", id)
    .where("status", "=", "Cancelled")
    .execute()
  if (row.promo_key !== null) await takePromotion(books, row.promo_key)
  if (kind === "line") return payByCredit(books, row, at)
  const total = money(invoice.total, invoice.currency)
  const used = await spendCredit(books, invoice, { scope: row.credit_scope ?? "none", at })
  const told: Telling[] = used > 0 ? [{ kind: "credit-used", at, amount: money(used, invoice.currency) }] : []
  return [...told, ...(await settleIfCovered(books, id, { left: invoice.total - used, total, at }))]
}

/** A line is paid with one of the reseller's credits. */
async function payByCredit(books: Books, { id, client_id }: OrderRow, at: Instant): Promise<Telling[]> {
  await carryOut(books, id, "paid")
  await fulfil(books, id, at)
  const accounts = { from: heldBy(client_id), to: "issued" } as const
  await transfer(books, { ...accounts, amount: LINE_COSTS, reference: `line ${id}`, at })
  return []
}
