/** A subscription line of a customer (spec, section 3: client product). */
export type ServiceStatus = "Pending" | "Active" | "Cancelled"

export type Service = {
  readonly id: string
  readonly orderId: string
  readonly customerId: string
  readonly productId: string
  readonly name: string
  readonly status: ServiceStatus
  readonly username: string
  readonly password: string
  /** Where the player connects, with scheme; null until the service has been set up. */
  readonly host: string | null
  readonly connections: number
  readonly proxyProtection: boolean
}
