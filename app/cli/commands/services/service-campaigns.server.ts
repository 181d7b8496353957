import type { Campaign, CampaignRequest } from "~/billing/embedded/services/term-campaigns.server"
import { type Call, type Command, CommandError, UsageError } from "~/cli/command"
import { counted, jsonTime, time } from "~/cli/format"
import { reasonIn } from "~/cli/reason"
import { SECOND } from "~/domain/calendar"
import { localInstant } from "~/domain/local-time"
import { daysIn } from "~/flows/admin/services/change-service.server"
import { extendOne } from "./service-commands.server"

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
  flags: {
    confirm: "do it; without it the services are counted",
    mail: "send a message for each service, once",
  },
  audit: ({ args: [number], options, flags }) =>
    number === undefined && !flags.includes("confirm")
      ? null
      : {
          action: number === undefined ? "extend-services" : "extend-service",
          subject:
            number === undefined ? `services of ${options.product ?? "all products"}` : `service ${number}`,
        },
  async run(call) {
    const [number] = call.args
    const { "active-at": activeAt, product } = call.options
    const isForAll = product !== undefined || call.flags.includes("mail")
    if ((number === undefined) !== (activeAt !== undefined) || (number !== undefined && isForAll))
      throw new UsageError(
        "Usage: services extend NUMBER, or services extend --active-at TIME [--product ID] [--mail]",
      )
    return number === undefined ? extendAll(call) : extendOne(call)
  },
}

async function extendAll(call: Call) {
  const { billing, options, flags, config, now } = call
  const request = {
    days: daysOption(call),
    productId: options.product ?? null,
    activeAt: timeIn(options["active-at"] ?? "", config.TIME_ZONE),
    reason: reasonIn(options.reason),
  }
  if (request.days < 1) throw new UsageError("--days must be at least 1: services undo takes days back.")
  if (request.activeAt > now + SECOND) throw new UsageError("--active-at must be in the past.")
  const { waiting, campaign } = await billing.operator.countCampaign(request)
  if (!flags.includes("confirm")) {
    const begun = campaign === null ? "" : ` Campaign ${campaign} with this request has begun.`
    const when = time(request.activeAt)
    return {
      text: `${counted(request.days, "day")} would be given to ${counted(waiting, "service")} that ran at ${when} UTC.${begun} Repeat it with --confirm to give them.`,
      data: { campaign, services: waiting, mails: 0, isDone: false },
    }
  }
  return confirmed(call, request)
}

async function confirmed({ billing, flags, now }: Call, request: CampaignRequest) {
  const { id, services } = await billing.operator.runCampaign(request, now)
  const mails = flags.includes("mail") ? await billing.operator.mailCampaign(id, now) : 0
  const notified = mails > 0 ? ` Messages are sent for ${counted(mails, "service")}, one for each.` : ""
  return {
    text: `${counted(request.days, "day")} given to ${counted(services.length, "service")}.${notified} To take the days back: services undo ${id}`,
    data: { campaign: id, services: services.length, mails, isDone: true },
  }
}

export const undoCampaign: Command = {
  about: "take the days back that services extend has given to many services",
  args: ["CAMPAIGN"],
  audit: ({ args: [id] }) => ({ action: "undo-campaign", subject: `campaign ${id}` }),
  async run({ billing, args: [id = ""], now }) {
    const undone = await billing.operator.undoCampaign(id, now)
    if (undone === null) throw new CommandError(`Campaign "${id}" not found.`)
    const { services, mails } = undone
    const notified =
      mails > 0 ? ` Messages about the days sent before: ${mails}. None is sent about this.` : ""
    return {
      text: `Days taken back from ${counted(services, "service")}.${notified}`,
      data: { campaign: id, services, mails },
    }
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
  const state = undoneAt === null ? counted(campaign.services, "service") : `undone ${time(undoneAt)}`
  const what = `${counted(campaign.days, "day")}, ${product}, running at ${time(activeAt)}`
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

function daysOption({ options: { days: typed = "" } }: Call): number {
  const days = daysIn(typed)
  if (days === null) throw new UsageError(`Invalid --days "${typed}": must be a number of days up to 3650.`)
  return days
}

function timeIn(value: string, timeZone: string): number {
  const at = localInstant(value, timeZone)
  if (at === null) throw new UsageError(`Invalid --active-at "${value}": must be like 2026-11-20T18:00.`)
  return at
}
