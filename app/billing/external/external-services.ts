import type { Instant } from "~/domain/calendar"
import type { Cycle } from "~/domain/catalogue/billing-cycle"
import type { ProductKind } from "~/domain/catalogue/catalogue"
import type { Currency, Money } from "~/domain/money/money"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { Credentials } from "~/domain/services/credentials"
import type { DeviceAddress } from "~/domain/services/device-address"
import type { ServiceStatus } from "~/domain/services/service"
import type { ExternalCustomer } from "./external-customers"
import type { ExternalOrderRef } from "./external-orders"

export interface ExternalServices {
  /**
   * The customer who has a service now; null if it is gone. Null instead: the system tells the services of one customer alone, and
   * `services` may lack some that `service` has.
   */
  readonly ownerOf: ((serviceId: string) => Promise<ExternalCustomer | null>) | null
  /** All services of a customer in any state (billing API: getClientProducts, getActiveProducts). */
  services(customerId: string): Promise<readonly ExternalService[]>
  /** Null: the customer has no service with this id. */
  service(owner: { customerId: string; serviceId: string }): Promise<ExternalService | null>
  /**
   * Reports the payments of a paid order, accepts the order externally and provisions its service. Idempotent: each
   * payment is reported once, and a repeated call resumes where the last one stopped. Returns the working service, for
   * an upsell with its new connections. Throws `unavailable` while the service does not work yet. `beforePayment` is called before each
   * call that records a payment, and may throw: payments that are recorded already need none.
   */
  provision(paid: PaidExternalOrder, beforePayment?: () => Promise<void>): Promise<ProvisionedService>
  /** Terminates the line (billing API: moduleTerminate). A missing line is not an error. */
  terminate(service: ExternalServiceRef): Promise<void>
  /** Ends the line's running streams (billing API: restartService). */
  restart(service: ExternalServiceRef): Promise<void>
  /** Sets the MAC address of the line's device (billing API: updateMacAddress). */
  setDeviceAddress(service: ExternalServiceRef, address: DeviceAddress): Promise<void>
  /** Stores the customer's notes (billing API: updateClientProduct). */
  setNotes(service: ExternalServiceRef, notes: string): Promise<void>
}

export type ExternalServiceRef = {
  readonly customerId: string
  readonly serviceId: string
  readonly productId: string
}

export type PaidExternalOrder = ExternalOrderRef & {
  readonly productId: string
  readonly total: Money
  readonly gateway: GatewayId
  /** Payments received, oldest first; empty if nothing was owed, credit paid the order, or staff marked it paid. */
  readonly payments: readonly PaymentRecord[]
  /** What the buyer has paid of the total here, with account credit of this shop, and without what became account credit. */
  readonly covered: Money
  readonly at: Instant
  /** Credentials that the line is to have. */
  readonly credentials: Credentials
  /** The line was terminated and is to be recreated with these credentials. */
  readonly isRecreation: boolean
  /** Number of connections that the service is to have. */
  readonly connections: number
}

/** `unfinished`: the step that failed although the service works. A repeated call tries it again. */
export type ProvisionedService = ExternalService & { readonly unfinished?: string }

/** What an order has received under one transaction id; `at`: its last part. */
export type PaymentRecord = {
  readonly transactionId: string
  readonly gateway: GatewayId
  readonly amount: Money
  readonly at: Instant
}

/** A service under its external ids. Null: the system does not report the field. */
export type ExternalService = {
  readonly serviceId: string
  readonly orderId: string | null
  readonly customerId: string
  readonly productId: string
  readonly kind: ProductKind
  readonly name: string
  readonly status: ServiceStatus
  readonly username: string
  readonly password: string
  /** URL with scheme; null before provisioning. */
  readonly host: string | null
  readonly connections: number | null
  readonly proxyProtection: boolean | null
  readonly cycle: Cycle | null
  readonly currency: Currency | null
  readonly deviceAddress: DeviceAddress | null
  readonly notes: string | null
  readonly createdAt: Instant | null
  /** When the next payment is due; null also without one, for a service that is paid once. */
  readonly paidUntil: Instant | null
}
