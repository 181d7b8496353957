import type { Instant } from "~/domain/calendar"
import type { Cycle } from "~/domain/catalogue/billing-cycle"
import type { Currency, Money } from "~/domain/money/money"
import type { Service, ServiceStatus, SuspensionOwner } from "~/domain/services/service"
import type { ServiceEvent } from "~/domain/services/service-event"
import type { JobListed, Termination } from "../orders/order-admin"

/**
 * Port of what operators see of services and do with them. What is changed here reaches the panel by a job. Every call may
 * throw a `BillingError`.
 */
export interface ServiceAdmin {
  /** Services of a range, latest first unless `newer` is set, at most `limit`: a short query by an index. */
  services(range: ServiceRange): Promise<readonly ServiceListItem[]>
  /** A service with its timeline, by its number or that of its order; null if there is none. */
  serviceDetails(number: string): Promise<ServiceDetails | null>
  /**
   * Adds days to the paid time of a service. Returns its new end; null if it has none, or is not running. Throws `BillingError`
   * "refused" if it ends at another time than `endBefore`.
   */
  extendService(id: string, given: GivenDays): Promise<Instant | null>
  /**
   * Suspends an active service; one that is suspended for non-payment gets the new owner. False if nothing has changed.
   */
  suspendService(id: string, suspension: NewSuspension): Promise<boolean>
  /** Ends a suspension by one of the owners. False if nothing has changed. */
  resumeService(id: string, resumption: Resumption): Promise<boolean>
  /** Ends an active or suspended service, and a paid one that is being set up. False if nothing has changed. */
  terminateService(id: string, termination: Termination): Promise<boolean>
  /**
   * Sets the number of connections of a running service. False if nothing has changed. Throws `BillingError` "refused" if it has
   * another number than `connectionsBefore`.
   */
  setConnections(id: string, change: ConnectionsChange): Promise<boolean>
  /** Records on the timeline of a service what an operator has done with it at the panel. */
  recordServiceEvent(id: string, event: ServiceEvent): Promise<void>
  /** How many services would get another price, of the first `COUNTED_AT_MOST`: `isCut` if there are more. */
  countPriceMove(move: PriceMove): Promise<PriceMoveCount & { readonly isCut: boolean }>
  /**
   * Announces another price of a service from a day on, with a message. False if nothing has changed. Throws `BillingError` "refused" if
   * the day is nearer than 30 days, or if the shop sends no mail. To all services of a plan: see `PriceMoves`.
   */
  movePrice(id: string, change: PriceChange): Promise<boolean>
  /** The running services of a plan that are renewed, counted. The price of one that is announced is of each service its own. */
  renewalGroups(productId: string, at: Instant): Promise<readonly RenewalGroup[]>
  /**
   * Takes an announced price of a service back. False if it has none with this day, or the day has come. Of all services of a plan: see
   * `PriceMoves`.
   */
  keepPrice(id: string, kept: OnePriceReturn): Promise<boolean>
}

/**
 * `created`: by the time of the order. `ending`: by the end of the paid time; services without an end are not in it. `step`: by
 * the time of the next message, suspension or end; services without one are not in it.
 */
export type ServiceOrder = "created" | "ending" | "step"

/** Place of a service in a list: keyset pagination. `at`: when it was created, ends, or has its next step. */
export type ServicePosition = { readonly at: Instant; readonly id: string }

export type ServiceRange = {
  readonly by: ServiceOrder
  readonly limit: number
  /** With `created` only. */
  readonly status?: ServiceStatus | undefined
  /** Services behind this one; absent: from the first. */
  readonly beyond?: ServicePosition | undefined
  /** Earliest first. */
  readonly newer?: boolean | undefined
  /** At this time or later, by the same order. */
  readonly from?: Instant | undefined
  /** Before this time. */
  readonly until?: Instant | undefined
}

export type ServiceListItem = Pick<Service, "id" | "name" | "status" | "username" | "productId"> & {
  readonly email: string
  readonly createdAt: Instant
  readonly paidUntil: Instant | null
  readonly nextStepAt: Instant | null
}

export type ServiceDetails = {
  readonly service: Service
  readonly email: string
  readonly createdAt: Instant
  /** Nothing is suspended or terminated before; null: no limit. */
  readonly notBefore: Instant | null
  readonly events: readonly ServiceEvent[]
  /** Jobs of the service that are not done. */
  readonly jobs: readonly JobListed[]
}

export type GivenDays = {
  /** Negative: taken back. */
  readonly days: number
  /** The end to which the days are added; absent: whatever it is. */
  readonly endBefore?: Instant | null
  readonly reason: string
  readonly at: Instant
  /** The campaign that gives the days, if it is one. */
  readonly campaign?: string
}

export type NewSuspension = {
  readonly owner: SuspensionOwner
  /** For the operator; null without one. */
  readonly reason: string | null
  readonly at: Instant
}

export type Resumption = {
  /** Suspensions of other owners stay. */
  readonly owners: readonly SuspensionOwner[]
  readonly reason: string | null
  readonly at: Instant
}

export type ConnectionsChange = {
  readonly connections: number
  /** Those that are replaced; absent: however many. */
  readonly connectionsBefore?: number
  readonly reason: string
  readonly at: Instant
}

/** The services of a product with a cycle and the currency of the price, or one service. */
export type MovedServices =
  | { readonly productId: string; readonly cycle: Cycle }
  | { readonly serviceId: string }

/** Services of a plan with one currency and cycle. */
export type RenewalGroup = {
  readonly currency: Currency
  readonly cycle: Cycle
  /** Day of another price that is announced for them; null: none is. */
  readonly announcedFrom: Instant | null
  readonly services: number
}

/** Another price of one service from a day on, of one cycle with its extras. */
export type PriceChange = {
  readonly price: Money
  readonly from: Instant
  readonly reason: string
  readonly at: Instant
}

/** Another price of services from a day on. */
export type PriceMove = {
  readonly services: MovedServices
  /** Of one cycle: of the plan without its extras; of one service with them. */
  readonly price: Money
  readonly from: Instant
  readonly reason: string
}

/** An operator waits for the count of services that would get another price, and each is priced with its extras. */
export const COUNTED_AT_MOST = 1_000

/** `unpriced`: services with an extra that has no price in the catalogue; they are left as they are. */
export type PriceMoveCount = { readonly services: number; readonly unpriced: number }

/** What takes an announced price back: the services, the currency, the day. */
export type PriceReturn = Omit<PriceMove, "price"> & { readonly currency: Currency }

/** The same of one service. `at`: the current time. */
export type OnePriceReturn = Omit<PriceReturn, "services"> & { readonly at: Instant }
