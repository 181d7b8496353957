import type { ServiceDetails } from "~/billing/services/service-admin"
import type { ConsoleServices } from "~/context/services.server"
import type { Instant } from "~/domain/calendar"
import type { Money } from "~/domain/money/money"
import { emailShownTo, type OperatorRole } from "~/domain/operators/operator"
import { asRenewed, type NextPlan } from "~/domain/services/plan-change"
import { type AnnouncedPrice, catalogueOf, renewalPrice } from "~/domain/services/renewal"
import type { Service } from "~/domain/services/service"
import { type ServiceAction, serviceActionsFor } from "~/domain/services/service-actions"

/** All that the console shows of a service. Its password is never part of it: see `uncoverCredentials`. */
export type ServiceView = Omit<ServiceDetails, "service"> & {
  readonly service: Omit<ServiceDetails["service"], "password">
  /** What one cycle that begins now would cost at its renewal, before a discount; null: it has no renewals here. */
  readonly renewalPrice: Money | null
  /** Another price that was announced to the customer, and whose day is to come. */
  readonly announced: AnnouncedPrice | null
  /** Until when it works, if its customer has said not to renew it; null: they have not, or it does not work any more. */
  readonly worksUntil: Instant | null
  /** The plan that follows when the paid time ends. */
  readonly next: NextPlan | null
}

/** A service by its number or that of its order; null for an unknown one. A viewer gets masked e-mails. */
export async function serviceView(
  services: Pick<ConsoleServices, "console" | "billing" | "catalogue" | "dunning" | "now">,
  number: string,
  role: OperatorRole,
): Promise<ServiceView | null> {
  const { console, billing } = services
  const details = await console.services.serviceDetails(number)
  if (!details) return null
  const { password: _, ...service } = details.service
  const next = await billing.nextPlan(service.id)
  const prices = await pricesOf(services, service, next)
  const worksUntil = await endWithoutRenewal(services, service)
  return { ...details, service, email: emailShownTo(role, details.email), ...prices, worksUntil, next }
}

async function endWithoutRenewal(
  { dunning }: Pick<ConsoleServices, "dunning">,
  { id, status, declinedAt }: Pick<Service, "id" | "status" | "declinedAt">,
): Promise<Instant | null> {
  if (declinedAt === null || status !== "Active") return null
  return (await dunning?.endOf(id))?.suspension ?? null
}

/** A plan that follows and is not paid has a price of its own. */
async function pricesOf(
  { billing, catalogue, now }: Pick<ConsoleServices, "billing" | "catalogue" | "now">,
  present: ServiceView["service"],
  next: NextPlan | null,
): Promise<Pick<ServiceView, "renewalPrice" | "announced">> {
  const none = { renewalPrice: null, announced: null }
  const service = asRenewed(present, next)
  const { cycle } = service
  const terms = next?.startsAt === null ? null : await billing.renewalTerms(service.id)
  if (terms === null || cycle === null) return none
  const product = (await catalogue.plans()).find(({ id }) => id === service.productId)
  const at = now()
  return {
    renewalPrice: renewalPrice(terms, catalogueOf({ ...service, cycle }, product), at),
    announced: terms.announced !== null && terms.announced.from > at ? terms.announced : null,
  }
}

/** What an operator may do with the service that is shown. */
export function actionsOnService(
  { service, announced }: Pick<ServiceView, "service" | "announced">,
  role: OperatorRole,
  shop: { readonly hasExternalBilling: boolean },
): readonly ServiceAction[] {
  const offered = serviceActionsFor(role, service, shop)
  return announced === null ? offered.filter((it) => it !== "keep-price") : offered
}

/** What an operator has seen of a service: another text says that something has happened since. */
export function seenOfService({
  service,
  events,
  jobs,
}: Pick<ServiceView, "service" | "events" | "jobs">): string {
  const { status, paidUntil, connections, deviceAddress } = service
  const states = jobs.map(({ id, state }) => `${id}${state}`).toSorted()
  return [status, events.length, paidUntil ?? "-", connections, deviceAddress ?? "-", ...states].join(" ")
}
