import { BillingError } from "~/billing/billing"
import type { NewTopUp } from "~/billing/orders/new-order"
import type { Instant } from "~/domain/calendar"
import { type Currency, type Money, money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { payableStatuses } from "~/domain/orders/order-status"
import { renewable } from "~/domain/services/renewal"
import { lockCustomer } from "../customers/lock-customer.server"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { usableAccountCredit } from "../ledger/customer-credit.server"
import { appendTimelineEvents } from "../orders/timeline.server"
import { renewalTerms } from "../services/renewal-terms.server"
import { service } from "../services/services.server"
import { assertTotalMatchesLines, insertInvoice, insertOrderRow } from "./insert-order.server"
import { placeOnce } from "./place-once.server"

/** Creates order and invoice for account credit: see `OrderRepository.placeTopUp`. */
export async function placeTopUp(ctx: DbContext, request: NewTopUp): Promise<Order> {
  return inTransaction(ctx, async (tx) => {
    // Before the key is looked up: the same form sent twice at once finds its order, and not that it comes to too much.
    await lockCustomer(tx, request.customerId)
    return placeOnce(tx, request, { kind: "topup", insert: () => insert(tx, request) })
  })
}

async function insert(tx: DbContext, request: NewTopUp): Promise<string | null> {
  checkQuote(request)
  await checkService(tx, request)
  await checkCredit(tx, request)
  const id = await insertOrderRow(tx, request, { kind: "topup", service_id: request.serviceId })
  if (id) await insertTopUp(tx, id, request)
  return id
}

/** Account credit is not bought with account credit. */
function checkQuote({ quote, accountCreditScope }: NewTopUp): void {
  assertTotalMatchesLines(quote)
  const isCredit = quote.lines.every(({ kind }) => kind === "accountCredit")
  if (!isCredit || quote.total.minor <= 0 || accountCreditScope !== "none")
    throw new BillingError("refused", "Invalid quote: a top-up is an amount of account credit")
}

/** Only a service that can be renewed uses account credit: not one of an external billing system. */
async function checkService(ctx: DbContext, { serviceId, customerId, quote }: NewTopUp): Promise<void> {
  const found = await service(ctx, serviceId)
  const isOwned = found?.customerId === customerId && found.currency === quote.total.currency
  if (!isOwned || !renewable(found) || !(await renewalTerms(ctx, serviceId)))
    throw new BillingError("refused", "Service not found or not renewable")
}

/**
 * Top-ups that can be paid still count as if they were: the customer is locked. Money that arrives otherwise meanwhile is account credit
 * too, beyond the bound: a payment that was opened is never refused.
 */
async function checkCredit(ctx: DbContext, { customerId, quote, max, at }: NewTopUp): Promise<void> {
  const { currency, minor } = quote.total
  const credit = await usableAccountCredit(ctx, { customerId, currency, scope: "account" })
  const open = await payableTopUps(ctx, { customerId, currency, at })
  if (credit.minor + open.minor + minor > max) throw new BillingError("refused", "Too much account credit")
}

/** Total of a customer's top-ups that can be paid at `at`: see `OrderRepository.payableTopUps`. */
export async function payableTopUps(
  { db }: DbContext,
  { customerId, currency, at }: { customerId: string; currency: Currency; at: Instant },
): Promise<Money> {
  const row = await db
    .selectFrom("orders")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .select((of) => of.fn.sum<number | null>("invoices.total").as("total"))
    .where("orders.client_id", "=", customerId)
    .where("orders.kind", "=", "topup")
    .where("orders.status", "in", payableStatuses)
    .where("orders.deadline", ">", at)
    .where("invoices.currency", "=", currency)
    .executeTakeFirst()
  return money(Number(row?.total ?? 0), currency)
}

async function insertTopUp(ctx: DbContext, id: string, request: NewTopUp): Promise<void> {
  const { at, quote } = request
  const { events } = await insertInvoice(ctx, id, request)
  await appendTimelineEvents(ctx, id, [{ kind: "placed", at, amount: quote.total }, ...events])
}
