import { type ExpressionBuilder, sql } from "kysely"
import type { NewRenewal } from "~/billing/services/renewals"
import { DAY, HOUR, type Instant } from "~/domain/calendar"
import type { Order } from "~/domain/orders/order"
import { paidStatuses } from "~/domain/orders/order-status"
import { WriteConflictError } from "../db/engines/database-errors.server"
import type { ServiceRow } from "../db/schema/order-rows"
import type { Tables } from "../db/schema/schema"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { usableAccountCredit } from "../ledger/customer-credit.server"
import { localeOfService } from "../mail/message-locale.server"
import { isPaymentInFlight } from "../payments/payments-in-flight.server"
import { storeNextStepByChoice } from "../services/next-step.server"
import { notDeclined } from "../services/service-row.server"
import { appendServiceEvent } from "../services/service-terms.server"
import { placeRenewal } from "./place-renewal.server"

/** A service that ended earlier is not renewed by itself any more. */
const RENEWED_WITHIN = 60 * DAY

/** Stores or ends the consent to renew from account credit: see `Renewals.setBalanceRenewal`. */
export async function setBalanceRenewal(
  ctx: DbContext,
  serviceId: string,
  { isOn, at }: { isOn: boolean; at: Instant },
): Promise<void> {
  const change = isOn ? consented : { balance_renewal: 0 as const }
  const balance = isOn ? "on" : "off"
  await inTransaction(ctx, async (tx) => {
    const { numUpdatedRows } = await tx.db
      .updateTable("services")
      .set(change)
      .where("id", "=", serviceId)
      .where("balance_renewal", "!=", change.balance_renewal)
      .where("paid_until", "is not", null)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) return
    await appendServiceEvent(tx, serviceId, { kind: "consent", at, detail: { balance } })
    await storeNextStepByChoice(tx, serviceId, at)
  })
}

/** Consent takes back that the customer does not want to renew. */
const consented = { balance_renewal: 1, ...notDeclined } as const

/** Services to renew from account credit: see `Renewals.dueBalanceRenewals`. */
export async function dueBalanceRenewals(
  { db }: DbContext,
  { at, after, limit }: { at: Instant; after: string; limit: number },
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("services")
    .select("id")
    .where(isDue(at))
    // The literal condition of the partial index.
    .where(sql<boolean>`balance_renewal = 1`)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Condition: the service has ended, and not so long ago or so finally that it stays as it is. */
function isDue(at: Instant) {
  return (row: ExpressionBuilder<Tables, "services">) =>
    row.and([
      row("paid_until", "<=", at),
      row("paid_until", ">", at - RENEWED_WITHIN),
      row("status", "in", ["Active", "Suspended"]),
    ])
}

/** Renews a service from account credit, or does nothing: see `Renewals.renewFromBalance`. */
export async function renewFromBalance(ctx: DbContext, request: NewRenewal): Promise<Order | null> {
  return inTransaction(ctx, async (tx) => {
    const { customerId, items, quote, at } = request
    const ids = items.map(({ serviceId }) => serviceId)
    if (!(await areDue(tx, ids, at))) return null
    const { currency, minor } = quote.total
    const credit = await usableAccountCredit(tx, { customerId, currency, scope: "account" })
    if (credit.minor < minor) return null
    // Nobody has chosen a language: it stays that of the order before.
    const locale = (await localeOfService(tx, { id: ids[0] ?? "", client_id: customerId })) ?? request.locale
    const order = await placeRenewal(tx, { ...request, locale })
    // The credit was spent elsewhere meanwhile: everything is undone, and read again.
    if (!paidStatuses.includes(order.status)) throw new WriteConflictError(`Credit of client ${customerId}`)
    return order
  })
}

/** Whether each service has consent, has just ended, and has no payment to wait for. */
async function areDue(tx: DbContext, ids: readonly string[], at: Instant): Promise<boolean> {
  const due = await tx.db
    .selectFrom("services")
    .select(["id", "paid_until", "held_since"])
    .where("id", "in", ids)
    .where("balance_renewal", "=", 1)
    .where(isDue(at))
    .execute()
  for (const service of due) if (await isHeld(tx, service, at)) return false
  return due.length === ids.length
}

/**
 * Whether a payment in flight may still pay the term. It is waited for as long as dunning waits for it (`held_since`), or would from
 * the end of the paid time.
 */
async function isHeld(
  tx: DbContext,
  { id, paid_until, held_since }: Pick<ServiceRow, "id" | "paid_until" | "held_since">,
  at: Instant,
): Promise<boolean> {
  const until = (held_since ?? paid_until ?? at) + (tx.terms?.holdHours ?? 0) * HOUR
  return at < until && (await isPaymentInFlight(tx, id, at))
}
