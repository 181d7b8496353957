import type { Campaign } from "~/billing/embedded/services/term-campaigns.server"
import { SECOND } from "~/domain/calendar"
import { localInstant } from "~/domain/local-time"
import type { Service } from "~/domain/service"
import { type Call, type Command, CommandError, UsageError } from "../command"
import { jsonTime, time } from "../format"

const ACTIVE_AT = "for all services that were running then: 2026-11-20T18:00 in TIME_ZONE, or with an offset"

export const extendServices: Command = {
  about: "give days: to one service, or after an outage to all that were running",
  args: [],
  optionalArg: "NUMBER",
  options: {
    days: "days to add; negative to take back, for one service only",
    reason: "why, for the timeline",
    "active-at": ACTIVE_AT,
    product: "only services of this product",
  },
  required: ["days", "reason"],
  flags: { confirm: "do it; without it the services are counted" },
  async run(call) {
    const [number] = call.args
    const { "active-at": activeAt, product } = call.options
    if (
      (number === undefined) !== (activeAt !== undefined) ||
      (number !== undefined && product !== undefined)
    )
      throw new UsageError(
        "Usage: services extend NUMBER, or services extend --active-at TIME [--product ID]",
      )
    return number === undefined ? extendAll(call) : extendOne(call, number)
  },
}

async function extendOne(call: Call, number: string) {
  const { billing, options, now } = call
  const days = daysIn(options.days)
  const service = await serviceNamed(call, number)
  const paidUntil = await billing.operator.extendService(service.id, {
    days,
    reason: reasonIn(options),
    at: now,
  })
  if (paidUntil === null)
    throw new CommandError(`Cannot extend service ${service.id}: ${service.status}, or without an end.`)
  return {
    text: `Service ${service.id} is paid until ${time(paidUntil)}.`,
    data: { number: service.id, paidUntil: jsonTime(paidUntil) },
  }
}

async function extendAll({ billing, options, flags, config, now }: Call) {
  const request = {
    days: daysIn(options.days),
    productId: options.product ?? null,
    activeAt: timeIn(options["active-at"] ?? "", config.TIME_ZONE),
    reason: reasonIn(options),
  }
  if (request.days < 1) throw new UsageError("--days must be at least 1: services undo takes days back.")
  if (request.activeAt > now + SECOND) throw new UsageError("--active-at must be in the past.")
  const { waiting, campaign } = await billing.operator.countCampaign(request)
  if (!flags.includes("confirm")) {
    const begun = campaign === null ? "" : ` Campaign ${campaign} with this request has begun.`
    const when = time(request.activeAt)
    return {
      text: `${waiting} services that were running at ${when} UTC would get ${request.days} days.${begun} Repeat it with --confirm to extend them.`,
      data: { campaign, services: waiting, isDone: false },
    }
  }
  const { id, services } = await billing.operator.runCampaign(request, now)
  return {
    text: `${services.length} services extended by ${request.days} days. To take the days back: services undo ${id}`,
    data: { campaign: id, services: services.length, isDone: true },
  }
}

export const undoCampaign: Command = {
  about: "take the days back that services extend has given to many services",
  args: ["CAMPAIGN"],
  async run({ billing, args: [id = ""], now }) {
    const services = await billing.operator.undoCampaign(id, now)
    if (services === null) throw new CommandError(`Campaign "${id}" not found.`)
    return { text: `Days taken back from ${services} services.`, data: { campaign: id, services } }
  },
}

export const listCampaigns: Command = {
  about: "list the extensions of many services, newest first",
  args: [],
  async run({ billing }) {
    const campaigns = await billing.operator.campaigns()
    return {
      text: campaigns.map(lineOf).join("\n") || "No campaigns.",
      data: { campaigns: campaigns.map(jsonCampaign) },
    }
  },
}

function lineOf({ id, createdAt, undoneAt, productId, activeAt, ...campaign }: Campaign): string {
  const product = productId === null ? "all products" : `product ${productId}`
  const state = undoneAt === null ? `${campaign.services} services` : `undone ${time(undoneAt)}`
  const what = `${campaign.days} days, ${product}, running at ${time(activeAt)}`
  return [time(createdAt), id, what, state, campaign.reason].join("  ")
}

function jsonCampaign({ id, createdAt, undoneAt, activeAt, productId, ...campaign }: Campaign) {
  return {
    campaign: id,
    days: campaign.days,
    product: productId,
    reason: campaign.reason,
    activeAt: jsonTime(activeAt),
    createdAt: jsonTime(createdAt),
    undoneAt: undoneAt === null ? null : jsonTime(undoneAt),
    services: campaign.services,
  }
}

const REASON = { reason: "why, for the timeline" } as const

export const suspendService: Command = {
  about: "suspend a service until services resume; a payment does not end it",
  args: ["NUMBER"],
  options: REASON,
  required: ["reason"],
  run: (call) =>
    changeState(call, "suspended", (id, { reason, at }) =>
      call.billing.operator.suspendService(id, { owner: "operator", reason, at }),
    ),
}

export const resumeService: Command = {
  about: "end a suspension, whoever it is by; an unpaid service is suspended again after its grace",
  args: ["NUMBER"],
  options: REASON,
  required: ["reason"],
  run: (call) =>
    changeState(call, "active", (id, { reason, at }) =>
      call.billing.operator.resumeService(id, {
        owners: ["non-payment", "operator", "fraud", "panel"],
        reason,
        at,
      }),
    ),
}

export const terminateService: Command = {
  about: "end a service; its login details stop working",
  args: ["NUMBER"],
  options: REASON,
  required: ["reason"],
  flags: { confirm: "do it; without it nothing is changed" },
  async run(call) {
    if (!call.flags.includes("confirm")) {
      const { id, name, username } = await serviceNamed(call, call.args[0] ?? "")
      throw new CommandError(
        `This ends service ${id} (${name}, ${username}) for good. Repeat it with --confirm.`,
      )
    }
    return changeState(call, "terminated", (id, { reason, at }) =>
      call.billing.operator.terminateService(id, { owner: "operator", reason, at }),
    )
  },
}

type Change = (id: string, about: { reason: string; at: number }) => Promise<boolean>

async function changeState(call: Call, state: string, change: Change) {
  const { args, options, now } = call
  const reason = reasonIn(options)
  const { id, status } = await serviceNamed(call, args[0] ?? "")
  if (!(await change(id, { reason, at: now })))
    throw new CommandError(`Cannot change service ${id}: its status is ${status}.`)
  return {
    text: `Service ${id} is ${state}. A running shop tells the panel within seconds.`,
    data: { number: id, status: await statusOf(call, id) },
  }
}

async function statusOf({ billing }: Call, id: string) {
  return (await billing.billing.service(id))?.status
}

/** Throws `CommandError` if there is no such service, or its state is not the shop's to change. */
async function serviceNamed({ billing, externalBilling }: Call, number: string): Promise<Service> {
  if (externalBilling)
    throw new CommandError("Change the service in the external billing system: its terms are there.")
  const shown = await billing.operator.serviceDetails(number)
  if (!shown) throw new CommandError(`Service or order "${number}" not found.`)
  return shown.service
}

function reasonIn({ reason }: Call["options"]): string {
  const text = reason?.trim()
  if (!text) throw new UsageError("Option --reason is required.")
  return text
}

const MAX_DAYS = 3_650

function daysIn(value = ""): number {
  const days = /^[+-]?\d{1,4}$/.test(value) ? Number(value) : 0
  if (days === 0 || Math.abs(days) > MAX_DAYS)
    throw new UsageError(`Invalid --days "${value}": must be a number of days up to ${MAX_DAYS}.`)
  return days
}

function timeIn(value: string, timeZone: string): number {
  const at = localInstant(value, timeZone)
  if (at === null) throw new UsageError(`Invalid --active-at "${value}": must be like 2026-11-20T18:00.`)
  return at
}
