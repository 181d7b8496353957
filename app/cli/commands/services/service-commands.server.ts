import { randomInt } from "node:crypto"
import type { ServiceDetails } from "~/billing/services/service-admin"
import { ofService } from "~/cli/audited.server"
import { type Call, type Command, CommandError, UsageError } from "~/cli/command"
import { jsonTime, time } from "~/cli/format"
import type { ServiceAction } from "~/domain/services/service-actions"
import {
  changeService,
  type ServiceChange,
  type ServiceChanging,
  type ServiceProblem,
} from "~/flows/admin/services/change-service.server"
import { newId } from "~/wiring/new-id.server"

const REASON = { reason: "why, for the timeline" } as const

export const suspendService: Command = {
  about: "suspend a service until services resume; a payment does not end it",
  args: ["NUMBER"],
  options: REASON,
  required: ["reason"],
  audit: ofService("suspend-service"),
  run: (call) => changeState(call, "suspend-service", "suspended"),
}

export const resumeService: Command = {
  about: "end a suspension, whoever it is by; an unpaid service is suspended again after its grace",
  args: ["NUMBER"],
  options: REASON,
  required: ["reason"],
  audit: ofService("resume-service"),
  run: (call) => changeState(call, "resume-service", "active"),
}

export const terminateService: Command = {
  about: "end a service; its login details stop working",
  args: ["NUMBER"],
  options: REASON,
  required: ["reason"],
  flags: { confirm: "do it; without it nothing is changed" },
  audit: ofService("terminate-service"),
  async run(call) {
    if (!call.flags.includes("confirm")) {
      const { id, name, username } = (await serviceNamed(call)).service
      throw new CommandError(
        `This ends service ${id} (${name}, ${username}) for good. Repeat it with --confirm.`,
      )
    }
    return changeState(call, "terminate-service", "terminated")
  },
}

export const recreateServiceCommand: Command = {
  about: "set a service up again with new login details; the present ones stop working",
  args: ["NUMBER"],
  options: REASON,
  required: ["reason"],
  audit: ofService("recreate-service"),
  async run(call) {
    const { id } = await changed(call, { action: "recreate-service" })
    return {
      text: `Service ${id} gets new login details. A running shop sets it up within seconds.`,
      data: { number: id, status: await statusOf(call, id) },
    }
  },
}

export const setDevice: Command = {
  about: "register the device of a service, such as 00:1A:79:12:34:56",
  args: ["NUMBER", "ADDRESS"],
  options: REASON,
  required: ["reason"],
  audit: ofService("set-device"),
  async run(call) {
    const { id } = await changed(call, { action: "set-device", device: call.args[1] })
    const device = (await call.billing.billing.service(id))?.deviceAddress ?? null
    return { text: `Service ${id} is tied to ${device}.`, data: { number: id, device } }
  },
}

export const setConnections: Command = {
  about: "set how many devices may use a service at once; nothing is charged",
  args: ["NUMBER", "N"],
  options: REASON,
  required: ["reason"],
  audit: ofService("set-connections"),
  async run(call) {
    const { id } = await changed(call, { action: "set-connections", connections: call.args[1] })
    const connections = (await call.billing.billing.service(id))?.connections
    return {
      text: `Service ${id} has ${connections} connections. A running shop tells the panel within seconds.`,
      data: { number: id, connections },
    }
  },
}

export const showCredentials: Command = {
  about: "show the login details of a service",
  args: ["NUMBER"],
  options: { reason: "why, for the audit log" },
  required: ["reason"],
  audit: ofService("show-credentials"),
  async run(call) {
    const { id, username, password, host } = (await serviceNamed(call)).service
    return {
      text: `${username}  ${password}  ${host ?? "not provisioned"}`,
      data: { number: id, username, password, host },
    }
  },
}

/** Gives days to the service that is named first. */
export async function extendOne(call: Call) {
  const { id } = await changed(call, { action: "extend-service", days: call.options.days })
  const paidUntil = (await call.billing.billing.service(id))?.paidUntil ?? call.now
  return {
    text: `Service ${id} is paid until ${time(paidUntil)}.`,
    data: { number: id, paidUntil: jsonTime(paidUntil) },
  }
}

/** Announces another price for the service that is named first. False if it is announced already. */
export async function moveOnePrice(
  call: Call,
  fields: Required<Pick<ServiceChange, "price" | "from">>,
): Promise<boolean> {
  const details = await serviceNamed(call)
  const reason = call.options.reason?.trim() ?? ""
  const change = { ...fields, action: "move-price", reason } as const
  const problem = await changeService(changingOf(call), details, change)
  if (problem === null || problem === "no-effect") return problem === null
  throw errorOf(problem, details.service, change)
}

async function changeState(call: Call, action: ServiceAction, state: string) {
  const { id } = await changed(call, { action })
  return {
    text: `Service ${id} is ${state}. A running shop tells the panel within seconds.`,
    data: { number: id, status: await statusOf(call, id) },
  }
}

async function statusOf({ billing }: Call, id: string) {
  return (await billing.billing.service(id))?.status
}

type Fields = Omit<ServiceChange, "reason">

/** Changes the service that is named first. Throws `CommandError` if nothing was changed. */
async function changed(call: Call, fields: Fields): Promise<ServiceDetails["service"]> {
  const details = await serviceNamed(call)
  const reason = call.options.reason?.trim() ?? ""
  const problem = await changeService(changingOf(call), details, { ...fields, reason })
  if (problem !== null) throw errorOf(problem, details.service, fields)
  return details.service
}

/** Nobody has to be woken: a running shop looks for jobs every few seconds. */
function changingOf({ billing, externalBilling, config, provisioner, now, log }: Call): ServiceChanging {
  return {
    admin: billing.operator,
    billing: billing.billing,
    outbox: billing.outbox,
    provisioner: provisioner(),
    now: () => now,
    randomInt: (below) => randomInt(below),
    newId,
    wakeJobs: () => {},
    log,
    hasExternalBilling: externalBilling !== null,
    timeZone: config.TIME_ZONE,
  }
}

function errorOf(
  problem: ServiceProblem,
  { id, status }: ServiceDetails["service"],
  fields: Fields,
): CommandError {
  const state = `Cannot change service ${id}: its status is ${status}.`
  switch (problem) {
    case "reason-missing":
      return new UsageError("Option --reason is required.")
    case "days-invalid":
      return new UsageError(`Invalid --days "${fields.days ?? ""}": must be a number of days up to 3650.`)
    case "device-invalid":
      return new UsageError(`Invalid device address "${fields.device}": must be like 00:1A:79:12:34:56.`)
    case "device-blocked":
      return new CommandError(`Device ${fields.device} is blocked: remove the block first.`)
    case "connections-invalid":
      return new UsageError(`Invalid number of connections "${fields.connections}": must be 1 to 100.`)
    case "elsewhere":
      return new CommandError("Change the service in the external billing system: its terms are there.")
    case "no-mail":
      return new CommandError("Another price needs a notice by mail, and the shop sends none.")
    case "changed":
      return new CommandError(`Service ${id} was changed at the same time. Look at it, then try again.`)
    case "unconfirmed":
      return new CommandError(
        "The panel did not respond, so it may have registered the device or not. A running shop asks again until it answers.",
      )
    case "no-answer":
      return new CommandError(
        "The panel did not respond. New login details are tried again by a running shop.",
      )
    default:
      return fields.action === "extend-service"
        ? new CommandError(`Cannot extend service ${id}: ${status}, or without an end.`)
        : new CommandError(state)
  }
}

/** Throws `CommandError` if there is no such service. */
async function serviceNamed({ billing, args: [number = ""] }: Call): Promise<ServiceDetails> {
  const shown = await billing.operator.serviceDetails(number)
  if (!shown) throw new CommandError(`Service or order "${number}" not found.`)
  return shown
}
