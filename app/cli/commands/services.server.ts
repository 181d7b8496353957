import type { ServiceDetails, ServiceListItem } from "~/billing/embedded/admin/service-queries.server"
import { type ServiceStatus, serviceStatuses } from "~/domain/service"
import { type Command, CommandError, UsageError } from "../command"
import { jsonTime, time } from "../format"
import { limitIn } from "../limit"

const USUAL = 20

export const listServices: Command = {
  about: "list services, the next to end first",
  args: [],
  options: {
    status: `only services with this status: ${serviceStatuses.join(", ")}`,
    product: "only services of this product",
    limit: `at most this many services, ${USUAL} without it`,
  },
  async run({ billing, options }) {
    const listed = await billing.operator.services({
      limit: limitIn(options.limit, USUAL),
      status: statusIn(options.status),
      productId: options.product,
    })
    const lines = listed.map(({ id, status, paidUntil, name, email }) =>
      [id, status.padEnd(10), endOf(paidUntil).padEnd(16), name, email].join("  "),
    )
    return { text: lines.join("\n") || "No services.", data: { services: listed.map(jsonListed) } }
  },
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
    return { text: linesOf(shown).join("\n"), data: { service: jsonService(shown) } }
  },
}

function linesOf({ service, email, notBefore, events }: ServiceDetails): string[] {
  const { suspension } = service
  const lines = [
    `Service ${service.id}  ${service.status}  ${service.name}  ${email}`,
    `  order ${service.orderId}, ${service.cycle ?? "no cycle"}, ${service.username}, ${service.host ?? "not provisioned"}`,
    `  paid until ${endOf(service.paidUntil)}`,
  ]
  if (notBefore !== null) lines.push(`  not suspended before ${time(notBefore)}`)
  if (suspension)
    lines.push(
      `  suspended ${time(suspension.at)} by ${suspension.owner}: ${suspension.reason ?? "no reason"}`,
    )
  if (service.declinedAt !== null) lines.push(`  not to be renewed, as said ${time(service.declinedAt)}`)
  if (service.balanceRenewal) lines.push("  renewed from account credit")
  lines.push("Timeline")
  const timeline = events.map(({ at, kind, detail }) =>
    `  ${time(at)}  ${kind.padEnd(10)}  ${detailOf(detail)}`.trimEnd(),
  )
  return lines.concat(timeline)
}

function detailOf(detail: ServiceDetails["events"][number]["detail"]): string {
  return Object.entries(detail ?? {})
    .map(([name, value]) => (name === "paidUntil" ? `until ${time(Number(value))}` : `${name} ${value}`))
    .join(", ")
}

function jsonListed({ id, status, paidUntil, name, username, email }: ServiceListItem) {
  return { number: id, status, name, username, email, paidUntil: jsonEnd(paidUntil) }
}

function jsonService({ service, email, notBefore, events }: ServiceDetails) {
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
    notBefore: jsonEnd(notBefore),
    suspension: suspension && {
      owner: suspension.owner,
      reason: suspension.reason,
      at: jsonTime(suspension.at),
    },
    declinedAt: jsonEnd(service.declinedAt),
    balanceRenewal: service.balanceRenewal,
    timeline: events.map(({ at, kind, detail }) => ({ at: jsonTime(at), kind, detail })),
  }
}

const endOf = (at: number | null) => (at === null ? "no end" : time(at))
const jsonEnd = (at: number | null) => (at === null ? null : jsonTime(at))
