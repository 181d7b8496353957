import type { Cycle } from "./billing-cycle"
import type { ProductKind } from "./catalogue"
import type { DeviceAddress } from "./device-address"
import type { Currency } from "./money"

/** A subscription line of a customer (spec, section 3: client product). */
export type ServiceStatus = "Pending" | "Active" | "Cancelled"

export type Service = {
  readonly id: string
  /** The order that made it; later ones may have added connections. */
  readonly orderId: string
  readonly customerId: string
  readonly productId: string
  readonly kind: ProductKind
  readonly name: string
  readonly status: ServiceStatus
  readonly username: string
  readonly password: string
  /** Where the player connects, with scheme; null until the service has been set up. */
  readonly host: string | null
  readonly connections: number
  readonly proxyProtection: boolean
  /** What it was bought in, and what more connections are priced by. Null: bought before this was kept. */
  readonly cycle: Cycle | null
  readonly currency: Currency
  /** The device it is tied to, if any (spec: macAddress). */
  readonly deviceAddress: DeviceAddress | null
  /** The customer's own words, for himself and for support. */
  readonly notes: string
}

/** How long a customer's notes may be, in characters. */
export const NOTES_LENGTH = 1_000
