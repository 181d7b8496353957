import type { ServiceDetails } from "~/billing/service-admin"
import type { ConsoleServices } from "~/context/services.server"
import type { Money } from "~/domain/money"
import { emailShownTo, type OperatorRole } from "~/domain/operator"
import type { NextPlan } from "~/domain/plan-change"

/** All that the console shows of a service. Its password is never part of it: see `uncovered`. */
export type ServiceView = Omit<ServiceDetails, "service"> & {
  readonly service: Omit<ServiceDetails["service"], "password">
  /** A price that was announced to the customer. */
  readonly announced: { readonly price: Money; readonly from: number } | null
  /** The plan that follows when the paid time ends. */
  readonly next: NextPlan | null
}

/** A service by its number or that of its order; null for an unknown one. A viewer gets masked e-mails. */
export async function serviceView(
  { console, billing }: Pick<ConsoleServices, "console" | "billing">,
  number: string,
  role: OperatorRole,
): Promise<ServiceView | null> {
  const details = await console.services.serviceDetails(number)
  if (!details) return null
  const { password: _, ...service } = details.service
  const announced = (await billing.renewalTerms(service.id))?.announced ?? null
  const next = await billing.nextPlan(service.id)
  return { ...details, service, email: emailShownTo(role, details.email), announced, next }
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
