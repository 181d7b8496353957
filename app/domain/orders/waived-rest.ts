import type { Money } from "../money/money"
import type { Order } from "./order"
import { next } from "./order-status"
import { outstanding } from "./settlement"

/** The most of a price that is waived, in basis points: a larger part is a discount, which its invoice would have to say. */
const MAX_WAIVED = 1_000

export type WaivableOrder = Pick<Order, "status" | "kind" | "total" | "received" | "credited">

/**
 * What an operator may waive of an order that lacks a little, so that it is paid with less: what is due. Null: nothing, too much, or the
 * order cannot be paid any more. All that a top-up has received is account credit, so that none of it can be missing.
 */
export function waivableRest({ status, kind, ...amounts }: WaivableOrder): Money | null {
  if (kind === "topup" || next(status, "paid") === undefined) return null
  const { total } = amounts
  const due = outstanding(amounts)
  const max = Math.floor((total.minor * MAX_WAIVED) / 10_000)
  return due.minor > 0 && due.minor <= max ? due : null
}
