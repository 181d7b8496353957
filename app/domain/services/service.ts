import type { Instant } from "../calendar"
import type { Cycle } from "../catalogue/billing-cycle"
import type { ProductKind } from "../catalogue/catalogue"
import type { Currency } from "../money/money"
import type { DeviceAddress } from "./device-address"
import type { Term } from "./term"

/**
 * `Suspended`: interrupted, and can be resumed. `Terminated`: ended after it was not renewed, or by the operator.
 * `Cancelled`: the order was not paid, or the panel's owner ended the service.
 */
export const serviceStatuses = ["Pending", "Active", "Suspended", "Terminated", "Cancelled"] as const
export type ServiceStatus = (typeof serviceStatuses)[number]

/** Who suspended a service. A payment lifts `non-payment` only. */
export type SuspensionOwner = "non-payment" | "operator" | "fraud" | "panel"

export type Suspension = {
  readonly owner: SuspensionOwner
  /** For the operator; null without one. */
  readonly reason: string | null
  readonly at: Instant
}

/** A customer's service (specification, Services: client product). */
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
  /** Device that the panel was asked to register and has not confirmed: it is asked again until it does. Null: none. */
  readonly deviceRequested: DeviceAddress | null
  /** The customer's notes, visible to support. */
  readonly notes: string
  /**
   * End of the paid time. Null: the service has no end (a one-time product), is not active yet, or the external billing
   * names no due date.
   */
  readonly paidUntil: Instant | null
  /** The term that ends then; null without an end, and for services of an external billing. */
  readonly term: Term | null
  /** Null unless suspended. */
  readonly suspension: Suspension | null
  /** When the customer said not to renew; null: not said, or taken back. */
  readonly declinedAt: Instant | null
  /** Consent to renew from account credit. */
  readonly balanceRenewal: boolean
}

/** The service for the customer: why it is suspended is for the operator and never reaches a browser. */
export function withoutReason(service: Service): Service {
  return { ...service, suspension: service.suspension && { ...service.suspension, reason: null } }
}

export type ShownService = ReturnType<typeof shownService>

/** What the page of a service shows of it: nothing else reaches the browser. */
export function shownService(service: Service) {
  const { id, name, status, username, password, host, connections, deviceAddress, notes } = service
  return { id, name, status, username, password, host, connections, deviceAddress, notes }
}

/** Maximum length of notes in characters. */
export const NOTES_LENGTH = 1_000

/** Whether a service that was paid does not work any more: it has no login details to show, and nothing is in progress. */
export function isStopped({ status }: Pick<Service, "status">): boolean {
  return status !== "Active" && status !== "Pending"
}

/** Whether a service is set up and has not ended: its customer uses it, or will again once a suspension is lifted. */
export function isProvisioned({ status }: Pick<Service, "status">): boolean {
  return status === "Active" || status === "Suspended"
}
