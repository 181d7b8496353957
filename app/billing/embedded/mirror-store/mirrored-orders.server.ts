import type { PaymentRecord } from "~/billing/external/external-services"
import type { MirrorStore } from "~/billing/external/mirror/mirror-store"
import { money } from "~/domain/money/money"
import { inTransaction, type Operations } from "../db/transaction.server"
import { returnAccountCredit } from "../ledger/customer-credit.server"
import { appendTimelineEvents } from "../orders/timeline.server"
import { attemptOf } from "../payments/payment-attempts.server"

export const buyer: Operations<MirrorStore>["buyer"] = async ({ db }, orderId) =>
  db
    .selectFrom("orders")
    .innerJoin("clients", "clients.id", "orders.client_id")
    .select(["clients.email", "clients.country", "orders.address", "orders.affiliate_id as affiliateId"])
    .where("orders.id", "=", orderId)
    .executeTakeFirstOrThrow()

export const paymentsOf: Operations<MirrorStore>["paymentsOf"] = async ({ db }, orderId) => {
  const rows = await db
    .selectFrom("payments")
    .innerJoin("invoices", "invoices.id", "payments.invoice_id")
    .selectAll("payments")
    .where("invoices.order_id", "=", orderId)
    .where("payments.amount", ">", 0)
    .orderBy("booked_at")
    .execute()
  const payments = new Map<string, PaymentRecord>()
  for (const { transaction_id, attempt_id, gateway, amount, currency, booked_at: at } of rows) {
    const transactionId = transaction_id ?? attempt_id
    const before = payments.get(transactionId)?.amount.minor ?? 0
    // Its place is that of its last part.
    payments.delete(transactionId)
    payments.set(transactionId, { transactionId, gateway, amount: money(before + amount, currency), at })
  }
  return [...payments.values()]
}

export const paidUpsells: Operations<MirrorStore>["paidUpsells"] = async ({ db }, serviceId) => {
  const rows = await db
    .selectFrom("orders")
    .select("id")
    .where("service_id", "=", serviceId)
    .where("kind", "=", "upsell")
    .where("status", "=", "paid")
    .orderBy("placed_at")
    .execute()
  return rows.map(({ id }) => id)
}

export const attempt: Operations<MirrorStore>["attempt"] = async ({ db }, id) => {
  const row = await db.selectFrom("payment_attempts").selectAll().where("id", "=", id).executeTakeFirst()
  return row ? attemptOf(row) : null
}

export const returnUsedCredit: Operations<MirrorStore>["returnUsedCredit"] = (ctx, orderId, at) =>
  inTransaction(ctx, async (tx) => {
    const invoice = await tx.db
      .selectFrom("invoices")
      .selectAll()
      .where("order_id", "=", orderId)
      .where("status", "=", "unpaid")
      .executeTakeFirst()
    const minor = invoice ? await returnAccountCredit(tx, invoice, { at }) : 0
    if (!invoice || minor === 0) return
    const amount = money(minor, invoice.currency)
    await appendTimelineEvents(tx, orderId, [{ kind: "credit-returned", at, amount }])
  })
