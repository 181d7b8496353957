import type { Cycle } from "~/domain/billing-cycle"
import type { Instant } from "~/domain/calendar"
import type { ProductKind } from "~/domain/catalogue"
import type { Credentials } from "~/domain/credentials"
import type { DeviceAddress } from "~/domain/device-address"
import type { GatewayId } from "~/domain/gateway-id"
import type { Currency, Money } from "~/domain/money"
import type { ServiceStatus } from "~/domain/service"
import type { ExternalOrderRef } from "./external-orders"

export interface ExternalServices {
  /** All of a customer's services, whatever their state (spec: getClientProducts, getActiveProducts). */
  services(customerId: string): Promise<readonly ExternalService[]>
  /** Null: none of that id is this customer's. */
  service(owner: { customerId: string; serviceId: string }): Promise<ExternalService | null>
  /**
   * The order has been paid here: they are told of every payment once, the order goes on there, and its service is
   * set up. Repeated, it goes on where it stopped. Gives the working service; throws `unavailable` while it does not
   * work yet. For an upsell: the service with its new connections.
   */
  provision(paid: PaidExternalOrder): Promise<ExternalService>
  /** The line works no more (spec: moduleTerminate). One that is not there is none. */
  terminate(service: ExternalServiceRef): Promise<void>
  /** Ends what is playing on it (spec: restartService). */
  restart(service: ExternalServiceRef): Promise<void>
  /** Ties it to a device (spec: updateMacAddress). */
  setDeviceAddress(service: ExternalServiceRef, address: DeviceAddress): Promise<void>
  /** Keeps the customer's own words (spec: updateClientProduct). */
  setNotes(service: ExternalServiceRef, notes: string): Promise<void>
}

export type ExternalServiceRef = {
  readonly customerId: string
  readonly serviceId: string
  readonly productId: string
}

export type PaidExternalOrder = ExternalOrderRef & {
  /** Ours. */
  readonly number: string
  readonly productId: string
  readonly total: Money
  readonly gateway: GatewayId
  /** What came for it, oldest first; empty when nothing was owed, credit paid it, or staff marked it. */
  readonly payments: readonly PaymentRecord[]
  readonly at: Instant
  /** What the line is to be reached by. */
  readonly credentials: Credentials
  /** The line was there, has been terminated, and is to be made anew under these credentials. */
  readonly anew: boolean
  /** How many connections the service is to have. */
  readonly connections: number
}

export type PaymentRecord = {
  readonly transactionId: string
  readonly gateway: GatewayId
  readonly amount: Money
  readonly at: Instant
}

/** A service under their ids. What they do not say is null. */
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
  /** With scheme; null until it has been set up. */
  readonly host: string | null
  readonly connections: number | null
  readonly proxyProtection: boolean | null
  readonly cycle: Cycle | null
  readonly currency: Currency | null
  readonly deviceAddress: DeviceAddress | null
  readonly notes: string | null
  readonly createdAt: Instant | null
}
