import type { CoinReferenceListed } from "~/billing/orders/order-admin"
import type { Instant } from "~/domain/calendar"
import { type CoinReference, coinReferenceKey } from "~/domain/payments/coin-reference"
import { beginsWith } from "../db/byte-order.server"
import type { DbContext } from "../db/transaction.server"

type Named = { readonly references: readonly CoinReference[]; readonly at: Instant }

/** Keeps what a payment is found by on its network: see `PaymentRepository.keepCoinReferences`. */
export async function keepCoinReferences(
  { db }: DbContext,
  attemptId: string,
  { references, at }: Named,
): Promise<void> {
  const rows = references.map(({ kind, value }) => ({
    attempt_id: attemptId,
    reference_key: coinReferenceKey(value),
    kind,
    value,
    at,
  }))
  if (rows.length === 0) return
  await db
    .insertInto("coin_references")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["attempt_id", "reference_key"]).doNothing())
    .execute()
}

/** What the payments of an order are found by on their networks, oldest first. */
export async function coinReferencesOf(
  { db }: DbContext,
  orderId: string,
): Promise<readonly CoinReferenceListed[]> {
  return db
    .selectFrom("coin_references")
    .innerJoin("payment_attempts", "payment_attempts.id", "coin_references.attempt_id")
    .select([
      "coin_references.kind",
      "coin_references.value",
      "coin_references.at",
      "payment_attempts.gateway",
    ])
    .where("payment_attempts.order_id", "=", orderId)
    .orderBy("coin_references.at")
    .orderBy("coin_references.reference_key")
    .execute()
}

/** A shorter beginning is that of too many addresses. */
const MIN_LENGTH = 8

/** Ids of the orders of an address or transaction, or of the beginning of one. */
export async function ordersByCoinReference(ctx: DbContext, text: string, limit: number): Promise<string[]> {
  const key = coinReferenceKey(text)
  if (key.length < MIN_LENGTH) return []
  const rows = await ctx.db
    .selectFrom("coin_references")
    .innerJoin("payment_attempts", "payment_attempts.id", "coin_references.attempt_id")
    .select("payment_attempts.order_id")
    .where(beginsWith(ctx, "coin_references.reference_key", key))
    .limit(limit)
    .execute()
  return rows.map(({ order_id }) => order_id)
}
