import { BillingError } from "~/billing/billing"
import type { Order, OrderKind } from "~/domain/orders/order"
import type { DbContext } from "../db/transaction.server"
import { order, orderByIdempotencyKey } from "../orders/orders.server"
import type { InvoiceInput } from "./insert-order.server"

/** Checks a request and writes its order. Returns the id; null if a concurrent request has used the idempotency key. */
type InsertOrder = () => Promise<string | null>

type Placing = {
  readonly kind: OrderKind
  readonly insert: InsertOrder
  /** Whether an earlier order of this kind and customer is the one that is requested; absent: each is. */
  readonly isRequested?: (placed: Order) => boolean
}

/**
 * Places an order in the current transaction, once per idempotency key: a key that was used before returns its order, unchecked.
 * Throws `BillingError` "refused" if that is another customer's or of another kind.
 */
export async function placeOnce(
  tx: DbContext,
  { key, customerId }: Pick<InvoiceInput, "key" | "customerId">,
  { kind, insert, isRequested = () => true }: Placing,
): Promise<Order> {
  const placed = (await orderByIdempotencyKey(tx, key)) ?? (await inserted(tx, key, insert))
  if (placed.kind === kind && placed.customerId === customerId && isRequested(placed)) return placed
  throw new BillingError("refused", "Idempotency key was used for a different order")
}

async function inserted(tx: DbContext, key: string, insert: InsertOrder): Promise<Order> {
  const id = await insert()
  const written = id === null ? await orderByIdempotencyKey(tx, key) : await order(tx, id)
  if (!written) throw new BillingError("unreadable", "Order not found after insert")
  return written
}
