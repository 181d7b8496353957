import type { FraudVerdict } from "~/domain/orders/fraud"
import type { Customers } from "../customers/customers"
import type { FraudAndAffiliates } from "../fraud-and-affiliates"
import type { PaymentRepository } from "../payments/payment-repository"
import type { OrderRepository } from "./order-repository"

/** What a purchase reads and writes until its buyer is sent to the gateway. */
export type PurchasePorts = Pick<Customers, "identify"> &
  Pick<FraudAndAffiliates, "checkFraud"> &
  Pick<OrderRepository, "placeOrder"> & {
    /** Null with external billing, which has to confirm an order before it can be paid. */
    readonly findOrCreateAttempt: PaymentRepository["findOrCreateAttempt"] | null
    /**
     * What external billing says of an address before it makes a customer (billing API: checkFraud); `checkFraud` does not ask it again.
     * Null: `checkFraud` has all checks.
     */
    readonly checkAddress: ((address: string) => Promise<FraudVerdict>) | null
  }

/**
 * Runs the writes of a purchase and returns the result of `work`: with embedded billing in one transaction, so that a crash or
 * an error leaves all of them or none; with external billing one after the other. `work` may run again after a conflict, so it
 * has no other side effects, and it waits for nothing but these calls, since others wait for the transaction. Throws a
 * `BillingError`.
 */
export type PurchaseTransaction = <T>(work: (ports: PurchasePorts) => Promise<T>) => Promise<T>
