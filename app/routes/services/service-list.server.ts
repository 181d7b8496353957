import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import type { Instant } from "~/domain/calendar"
import { lineName } from "~/domain/services/line-list"
import { isStopped, type Service } from "~/domain/services/service"
import { isTrial } from "~/domain/services/term"
import type { ServiceHeadView } from "~/ui/success/service-head"
import type { ServiceListed } from "~/ui/success/service-list"
import { type Writing, writingOf } from "../page-writing.server"

/** The list of a visitor's services. `renewable`: text of the link to the renewal of each that can be renewed. */
export function servicesListed(
  context: RouteContext,
  services: readonly Service[],
  renewable: Readonly<Record<string, string>>,
): readonly ServiceListed[] {
  const { now } = context.get(servicesContext)
  const writing = writingOf(context)
  return services.map((service) => ({
    id: service.id,
    name: service.name,
    label: labelOf(service),
    status: service.status,
    until: isStopped(service) ? null : untilOf(service, now(), writing),
    renewal: renewable[service.id] ?? null,
  }))
}

/** Characters of a note in the list, which has one short line for each service. */
const NOTE_LENGTH = 40

/** What tells a service from others of the same plan: the customer's note of it, if there is one, and its username. */
function labelOf({ notes, username }: Service): string {
  const name = lineName({ notes, username })
  if (name === username) return username
  const note = name.length > NOTE_LENGTH ? `${name.slice(0, NOTE_LENGTH).trimEnd()}…` : name
  return `${note} · ${username}`
}

/** Until when a service is paid or lasted; null: nothing is to be said. */
export function untilOf(service: Service, now: Instant, writing: Writing): ServiceHeadView["until"] {
  const { paidUntil, status } = service
  if (paidUntil === null) return null
  const at = new Date(paidUntil).toISOString()
  if (!isExternal(service)) return { text: endText({ ...service, paidUntil }, now, writing), at }
  if (status !== "Active" && status !== "Suspended") return null
  return { text: writing.t("place.due", { date: writing.day(paidUntil) }), at }
}

/** External billing names the next due date, and decides itself what happens then. */
export function isExternal({ term, paidUntil }: Service): boolean {
  return term === null && paidUntil !== null
}

type Ending = Pick<Service, "term" | "status"> & { readonly paidUntil: Instant }

/** A free trial has an end of hours and minutes. */
function endText({ term, status, paidUntil }: Ending, now: Instant, { t, day, moment }: Writing): string {
  const isAhead = paidUntil > now
  if (isTrial(term)) return t(isAhead ? "place.trialUntil" : "place.trialEnded", { date: moment(paidUntil) })
  const date = day(paidUntil)
  if (isAhead) return t("place.until", { date })
  // In its days of grace it works still.
  return t(status === "Active" ? "place.paidUntil" : "place.endedOn", { date })
}
