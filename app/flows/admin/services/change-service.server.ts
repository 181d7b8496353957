import { isRefusedByBilling } from "~/billing/billing"
import type { PriceChange, ServiceAdmin, ServiceDetails } from "~/billing/services/service-admin"
import type { LoggedServices } from "~/context/services.server"
import type { Instant } from "~/domain/calendar"
import { localInstant } from "~/domain/local-time"
import { typedRenewalPrice } from "~/domain/money/typed-amount"
import { deviceAddressIn } from "~/domain/services/device-address"
import { PRICE_NOTICE } from "~/domain/services/renewal"
import type { SuspensionOwner } from "~/domain/services/service"
import { allows, type ServiceAction } from "~/domain/services/service-actions"
import type { Recreating } from "~/flows/jobs/recreate-service.server"
import { type DeviceChange, recreateService, tieToDevice } from "~/flows/services/change-service.server"

/** What an operator types to change a service. Fields that its action does not have are ignored. */
export type ServiceChange = {
  readonly action: ServiceAction
  readonly reason: string
  /** Days to give, negative to take back. */
  readonly days?: string | undefined
  readonly device?: string | undefined
  readonly connections?: string | undefined
  /** Price of one cycle with its extras, and the first day on which it is charged. */
  readonly price?: string | undefined
  readonly from?: string | undefined
}

/** Why a change had no effect. */
export type ServiceProblem =
  | "reason-missing"
  | "days-invalid"
  | "device-invalid"
  | "device-blocked"
  | "connections-invalid"
  | "amount-invalid"
  | "day-invalid"
  /** Customers get a notice of 30 days of another price. */
  | "day-too-near"
  | "no-mail"
  /** An external billing has the state of the services. */
  | "elsewhere"
  | "not-allowed"
  /** Somebody else has changed the same at the same time. */
  | "changed"
  | "no-answer"
  /** The panel has not answered; the device is asked for again until it does. */
  | "unconfirmed"
  | "no-effect"

/** What the console has, and the admin CLI. */
export type ServiceChanging = Recreating &
  Pick<LoggedServices, "newId"> & {
    readonly admin: ServiceAdmin
    readonly hasExternalBilling: boolean
    readonly timeZone: string
  }

/** What the console's services are to the changes of one service. */
export function changingOf(
  services: LoggedServices & { readonly console: { readonly services: ServiceAdmin } },
): ServiceChanging {
  const { console, shop } = services
  return { ...services, admin: console.services, timeZone: shop.timeZone }
}

/** Changes a service, if its state allows it. Returns why nothing was changed, or null. */
export async function changeService(
  services: ServiceChanging,
  { service }: Pick<ServiceDetails, "service">,
  change: ServiceChange,
): Promise<ServiceProblem | null> {
  if (change.reason === "") return "reason-missing"
  const { action } = change
  if (!allows(service, action, services))
    return allows(service, action, { hasExternalBilling: false }) ? "elsewhere" : "not-allowed"
  const problem = await changes[action]({ services, service, change, at: services.now() })
  if (problem === null) services.wakeJobs()
  return problem
}

type ChangeInput = {
  readonly services: ServiceChanging
  readonly service: ServiceDetails["service"]
  readonly change: ServiceChange
  readonly at: Instant
}
type ApplyChange = (doing: ChangeInput) => Promise<ServiceProblem | null>

const anyOwner: readonly SuspensionOwner[] = ["non-payment", "operator", "fraud", "panel"]

const changes: Readonly<Record<ServiceAction, ApplyChange>> = {
  async "extend-service"({ services, service, change: { days: typed = "", reason }, at }) {
    const days = daysIn(typed)
    if (days === null) return "days-invalid"
    const given = { days, endBefore: service.paidUntil, reason, at }
    return unlessRefused(
      "changed",
      async () => (await services.admin.extendService(service.id, given)) !== null,
    )
  },
  async "suspend-service"({ services, service, change: { reason }, at }) {
    return unless(await services.admin.suspendService(service.id, { owner: "operator", reason, at }))
  },
  async "resume-service"({ services, service, change: { reason }, at }) {
    return unless(await services.admin.resumeService(service.id, { owners: anyOwner, reason, at }))
  },
  async "terminate-service"({ services, service, change: { reason }, at }) {
    return unless(await services.admin.terminateService(service.id, { owner: "operator", reason, at }))
  },
  async "recreate-service"({ services, service, change: { reason }, at }) {
    const outcome = await recreateService(services, service)
    // The job goes on without an answer of the panel, so the timeline names the reason all the same.
    if (outcome !== "not-active")
      await services.admin.recordServiceEvent(service.id, { kind: "recreated", at, detail: { reason } })
    return problemOf(outcome)
  },
  async "set-device"({ services, service, change: { device = "", reason }, at }) {
    const address = deviceAddressIn(device)
    if (address === null) return "device-invalid"
    const outcome = await tieToDevice(services, service, address)
    if (outcome === "done")
      await services.admin.recordServiceEvent(service.id, { kind: "device", at, detail: { reason } })
    return problemOf(outcome)
  },
  async "set-connections"({ services, service, change: { connections: typed = "", reason }, at }) {
    const connections = connectionsIn(typed)
    if (connections === null) return "connections-invalid"
    const change = { connections, connectionsBefore: service.connections, reason, at }
    return unlessRefused("changed", () => services.admin.setConnections(service.id, change))
  },
  "move-price": movePrice,
  "keep-price": keepPrice,
}

async function movePrice({ services, service, change, at }: ChangeInput): Promise<ServiceProblem | null> {
  const price = typedRenewalPrice(change.price ?? "", service.currency)
  if (price === null) return "amount-invalid"
  const from = localInstant(change.from ?? "", services.timeZone)
  if (from === null) return "day-invalid"
  if (from < at + PRICE_NOTICE) return "day-too-near"
  return announce(services, service.id, { price, from, reason: change.reason, at })
}

/** Takes back what is announced, whenever it is to begin: the operator has seen the one that there is. */
async function keepPrice({ services, service, change, at }: ChangeInput): Promise<ServiceProblem | null> {
  const announced = (await services.billing.renewalTerms(service.id))?.announced
  if (!announced) return "no-effect"
  const { from, price } = announced
  const kept = { currency: price.currency, from, reason: change.reason, at }
  return unless(await services.admin.keepPrice(service.id, kept))
}

/** A refusal: the shop sends no mail, so that nobody gets the notice. */
async function announce(
  { admin }: ServiceChanging,
  id: string,
  change: PriceChange,
): Promise<ServiceProblem | null> {
  return unlessRefused("no-mail", () => admin.movePrice(id, change))
}

/** Rethrows any error but a refusal, which is the problem that is named. */
async function unlessRefused(
  problem: ServiceProblem,
  change: () => Promise<boolean>,
): Promise<ServiceProblem | null> {
  try {
    return unless(await change())
  } catch (error) {
    if (!isRefusedByBilling(error)) throw error
    return problem
  }
}

function unless(isDone: boolean): ServiceProblem | null {
  return isDone ? null : "no-effect"
}

function problemOf(outcome: DeviceChange): ServiceProblem | null {
  if (outcome === "changed") return "changed"
  if (outcome === "blocked") return "device-blocked"
  if (outcome === "not-answered") return "no-answer"
  if (outcome === "unconfirmed") return "unconfirmed"
  return unless(outcome === "done")
}

const MAX_DAYS = 3_650

/** A number of days other than 0, possibly negative; null if a text is none. */
export function daysIn(text: string): number | null {
  const days = /^[+-]?\d{1,4}$/.test(text.trim()) ? Number(text) : 0
  return days === 0 || Math.abs(days) > MAX_DAYS ? null : days
}

const MAX_CONNECTIONS = 100

function connectionsIn(text: string): number | null {
  const connections = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0
  return connections < 1 || connections > MAX_CONNECTIONS ? null : connections
}
