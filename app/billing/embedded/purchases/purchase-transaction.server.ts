import type { PurchasePorts, PurchaseTransaction } from "~/billing/orders/purchase-transaction"
import { identify } from "../customers/customers.server"
import { bound, type DbContext, inTransaction, withBillingErrors } from "../db/transaction.server"
import { checkFraud } from "../fraud/check-fraud.server"
import { findOrCreateAttempt } from "../payments/payment-attempts.server"
import { placeOrder } from "./place-order.server"

type Ports = {
  readonly [Name in Exclude<keyof PurchasePorts, "checkAddress">]: NonNullable<PurchasePorts[Name]>
}

/** Writes customer, order and first payment attempt together. */
export function purchaseTransaction(ctx: DbContext): PurchaseTransaction {
  // Errors are mapped outside, since the transaction decides by the database's own whether to retry.
  return (work) =>
    withBillingErrors(
      inTransaction(ctx, (tx) =>
        work({
          ...bound<Ports>(tx, { identify, checkFraud, placeOrder, findOrCreateAttempt }),
          checkAddress: null,
        }),
      ),
    )
}
