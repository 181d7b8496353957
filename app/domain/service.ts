import type { Cycle } from "./billing-cycle"
import type { ProductKind } from "./catalogue"
import type { DeviceAddress } from "./device-address"
import type { Currency } from "./money"

/** A customer's service (specification, Services: client product). */
export type ServiceStatus = "Pending" | "Active" | "Cancelled"

export type Service = {
  readonly id: string
  /** The order that created it; later orders may have added connections. */
  readonly orderId: string
  readonly customerId: string
  readonly productId: string
  readonly kind: ProductKind
  readonly name: string
  readonly status: ServiceStatus
  readonly username: string
  readonly password: string
  /** Server URL for players; null until the service is provisioned. */
  readonly host: string | null
  readonly connections: number
  readonly proxyProtection: boolean
  /** Billing cycle, which also prices extra connections. Null for services from before it was stored. */
  readonly cycle: Cycle | null
  readonly currency: Currency
  /** Registered device, if any (billing API: macAddress). */
  readonly deviceAddress: DeviceAddress | null
  /** The customer's notes, visible to support. */
  readonly notes: string
}

/** Maximum length of notes in characters. */
export const NOTES_LENGTH = 1_000
