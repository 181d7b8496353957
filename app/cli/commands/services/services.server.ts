import type { ServiceDetails, ServiceListItem } from "~/billing/services/service-admin"
import { audited } from "~/cli/audited.server"
import { type Call, type Command, CommandError, UsageError } from "~/cli/command"
import { onDisk, writePrivately } from "~/cli/files.server"
import { amount, jsonAmount, jsonTime, time } from "~/cli/format"
import { limitIn } from "~/cli/limit"
import { placeOption } from "~/cli/place-option"
import { reasonIn } from "~/cli/reason"
import type { Instant } from "~/domain/calendar"
import { STEP_LATE_AFTER } from "~/domain/console/console-need"
import { startOfDay } from "~/domain/local-time"
import type { NextPlan } from "~/domain/services/plan-change"
import type { AnnouncedPrice } from "~/domain/services/renewal"
import { type ServiceStatus, serviceStatuses } from "~/domain/services/service"
import { isTrial } from "~/domain/services/term"
import { timedPlaceText } from "~/flows/admin/keyset-pages.server"
import { exportServices } from "~/flows/admin/services/export-services.server"
import { findServices, type ServiceFilter } from "~/flows/admin/services/find-services.server"

const USUAL = 20

/** Options by which commands choose services. */
export const serviceFilterOptions = {
  status: `only services with this status: ${serviceStatuses.join(", ")}`,
  product: "only services of this product",
  from: "only services that end on this day of the shop's calendar or later",
  before: "only services that end before this day of the shop's calendar, such as 2026-11-30",
} as const satisfies Command["options"]

const serviceFilterFlags = { late: "only services whose next step is late: they are past their end" }

export const listServices: Command = {
  about: "list services, newest first; with --from or --before those that end last",
  args: [],
  options: {
    ...serviceFilterOptions,
    limit: `at most this many services, ${USUAL} without it`,
    after: 'go on behind this place: "next" of the list before',
  },
  flags: serviceFilterFlags,
  async run(call) {
    const { billing, options, machineNow } = call
    const page = await findServices({ services: billing.operator, now: machineNow }, serviceFilterIn(call), {
      size: limitIn(options.limit, USUAL),
      beyond: placeOption(options.after),
    })
    const next = page.older && timedPlaceText(page.older)
    const lines = page.rows.map(({ id, status, paidUntil, name, email }) =>
      [id, status.padEnd(10), endOf(paidUntil).padEnd(16), name, email].join("  "),
    )
    const cut = page.isCut ? ["The search took too long and was cut."] : []
    const more = next === null ? [] : [`More: --after ${next}`]
    return {
      text: [...(lines.length === 0 ? ["No services."] : lines), ...cut, ...more].join("\n"),
      data: { services: page.rows.map(jsonListed), next, isCut: page.isCut },
    }
  },
}

/** Writes services as a CSV file, in which no cell is a formula. */
export const exportServiceList: Command = {
  about: "write services as a CSV file, without login details; - writes to standard output",
  args: ["FILE|-"],
  options: { ...serviceFilterOptions, reason: "why, for the audit log" },
  required: ["reason"],
  flags: serviceFilterFlags,
  async run(call) {
    const [file = ""] = call.args
    const reason = reasonIn(call.options.reason)
    const filter = serviceFilterIn(call)
    await audited(call, { action: "export-services", subject: "services", reason }, async () => {
      const lines = exportServices({ services: call.billing.operator }, filter)
      await onDisk(file === "-" ? call.write(lines) : writePrivately(file, lines))
      return { after: { filter }, value: null }
    })
    return {
      text: `Services written to ${file === "-" ? "standard output" : file}. They contain emails: keep them private.`,
      data: { file },
    }
  },
}

/** The filter of a command. Throws `UsageError` for an invalid value. */
export function serviceFilterIn({ options, flags, config, now }: Call): ServiceFilter {
  const dayOf = (option: "from" | "before") => {
    const typed = options[option]
    const at = typed === undefined ? undefined : startOfDay(typed, config.TIME_ZONE)
    if (typed !== undefined && at === undefined)
      throw new UsageError(`--${option} must be a day such as 2026-11-30.`)
    return at
  }
  return {
    status: statusIn(options.status),
    productId: options.product,
    endsFrom: dayOf("from"),
    endsBefore: dayOf("before"),
    stepBefore: flags.includes("late") ? now - STEP_LATE_AFTER : undefined,
  }
}

function statusIn(value: string | undefined): ServiceStatus | undefined {
  const status = serviceStatuses.find((it) => it.toLowerCase() === value?.toLowerCase())
  if (value !== undefined && !status)
    throw new UsageError(`Unknown status "${value}". Valid: ${serviceStatuses.join(", ")}.`)
  return status
}

export const showService: Command = {
  about: "show one service, by its number or its order's: paid time, suspension, timeline",
  args: ["NUMBER"],
  async run({ billing, args: [number = ""] }) {
    const shown = await billing.operator.serviceDetails(number)
    if (!shown) throw new CommandError(`Service or order "${number}" not found.`)
    const announced = (await billing.billing.renewalTerms(shown.service.id))?.announced ?? null
    const next = await billing.billing.nextPlan(shown.service.id)
    const end = await billing.dunning?.endOf(shown.service.id)
    const works = shown.service.status === "Active" ? (end?.suspension ?? null) : null
    const price = announced && { price: jsonAmount(announced.price), from: jsonTime(announced.from) }
    return {
      text: linesOf(shown, { announced, next, works }).join("\n"),
      data: { service: { ...jsonService(shown), announcedPrice: price, nextPlan: next && jsonNext(next) } },
    }
  },
}

/** What is to come for a service. */
type Ahead = {
  readonly announced: AnnouncedPrice | null
  readonly next: NextPlan | null
  /** Until when it works if nobody renews it; null: it does not work, or has no end. */
  readonly works: Instant | null
}

function jsonNext({ productId, cycle, price, startsAt }: NextPlan) {
  return { product: productId, cycle, price: jsonAmount(price), isPaid: startsAt !== null }
}

function endText({ term, paidUntil }: ServiceDetails["service"]): string {
  return `${isTrial(term) ? "free trial" : "paid"} until ${endOf(paidUntil)}`
}

function linesOf({ service, email, notBefore, events }: ServiceDetails, ahead: Ahead): string[] {
  const { suspension } = service
  const lines = [
    `Service ${service.id}  ${service.status}  ${service.name}  ${email}`,
    `  order ${service.orderId}, ${service.cycle ?? "no cycle"}, ${service.username}, ${service.host ?? "not provisioned"}`,
    `  ${endText(service)}`,
  ]
  if (notBefore !== null) lines.push(`  not suspended before ${time(notBefore)}`)
  if (suspension)
    lines.push(
      `  suspended ${time(suspension.at)} by ${suspension.owner}: ${suspension.reason ?? "no reason"}`,
    )
  if (service.declinedAt !== null) lines.push(declinedText(service.declinedAt, ahead))
  if (service.balanceRenewal) lines.push("  renewed from account credit")
  lines.push(...aheadLines(service, ahead))
  lines.push("Timeline")
  const timeline = events.map(({ at, kind, detail }) =>
    `  ${time(at)}  ${kind.padEnd(10)}  ${detailOf(detail)}`.trimEnd(),
  )
  return lines.concat(timeline)
}

function declinedText(declinedAt: Instant, { works }: Ahead): string {
  const until = works === null ? "" : `; works until ${time(works)}`
  return `  not to be renewed, as said ${time(declinedAt)}${until}`
}

function aheadLines({ paidUntil }: ServiceDetails["service"], { announced, next }: Ahead): string[] {
  const lines = announced ? [`  renews at ${amount(announced.price)} from ${time(announced.from)}`] : []
  if (!next) return lines
  const { name, cycle, price, startsAt } = next
  const paid = startsAt === null ? "" : ", paid already"
  return [...lines, `  from ${endOf(startsAt ?? paidUntil)}: ${name}, ${cycle}, at ${amount(price)}${paid}`]
}

function detailOf(detail: ServiceDetails["events"][number]["detail"]): string {
  return Object.entries(detail ?? {})
    .map(([name, value]) =>
      name === "paidUntil" ? `until ${time(Number(value))}` : `${name} ${shownValue(name, value)}`,
    )
    .join(", ")
}

const shownValue = (name: string, value: string | number) =>
  name === "from" || name === "until" ? time(Number(value)) : value

function jsonListed({ id, status, paidUntil, name, username, email }: ServiceListItem) {
  return { number: id, status, name, username, email, paidUntil: jsonEnd(paidUntil) }
}

function jsonService({ service, email, notBefore, events, jobs }: ServiceDetails) {
  const { suspension } = service
  return {
    number: service.id,
    order: service.orderId,
    product: service.productId,
    name: service.name,
    status: service.status,
    cycle: service.cycle,
    username: service.username,
    host: service.host,
    email,
    paidUntil: jsonEnd(service.paidUntil),
    isTrial: isTrial(service.term),
    notBefore: jsonEnd(notBefore),
    suspension: suspension && {
      owner: suspension.owner,
      reason: suspension.reason,
      at: jsonTime(suspension.at),
    },
    declinedAt: jsonEnd(service.declinedAt),
    balanceRenewal: service.balanceRenewal,
    connections: service.connections,
    device: service.deviceAddress,
    jobs: jobs.map(({ id, topic, state, tries, reason }) => ({ number: id, topic, state, tries, reason })),
    timeline: events.map(({ at, kind, detail }) => ({ at: jsonTime(at), kind, detail })),
  }
}

const endOf = (at: number | null) => (at === null ? "no end" : time(at))
const jsonEnd = (at: number | null) => (at === null ? null : jsonTime(at))
