import type { Diagnostic } from "~/billing/diagnostic"
import type { GatewayStats } from "~/billing/embedded/payments/gateway-stats.server"
import type { Instant } from "~/domain/calendar"
import { type GatewayId, isGatewayId } from "~/domain/gateway-id"
import { changeGatewayOffer, type GatewayAction } from "~/flows/admin/drain-gateway.server"
import { forgedCallback } from "~/gateways/forged-callback"
import { type Gateway, UntrustedCallbackError } from "~/gateways/gateway"
import { type Call, type Command, CommandError, type CommandResult } from "../command"
import { jsonTime, time } from "../format"
import { reachGateway } from "../reach-gateway.server"

/** Checks each gateway: reachable, rejects a forged callback, recent activity. */
export const checkGateways: Command = {
  about: "check each gateway and show recent activity",
  args: [],
  async run(call) {
    const opened = [...call.gateways().values()]
    const examined = await Promise.all(opened.map((gateway) => diagnose(call, gateway)))
    return {
      text: examined.map(textOf).join("\n\n"),
      data: {
        gateways: examined.map(({ lastUpdateAt, ...gateway }) => ({
          ...gateway,
          lastUpdateAt: lastUpdateAt === null ? null : jsonTime(lastUpdateAt),
        })),
      },
    }
  },
}

export const drainGateway: Command = {
  about:
    "offer a gateway for no new orders: it finishes the payments that it has; without a restart, for all instances",
  args: ["GATEWAY"],
  options: { reason: "why, for the audit log" },
  required: ["reason"],
  audit: ofGateway("drain-gateway"),
  run: (call) => offerChanged(call, "drain-gateway"),
}

export const offerGateway: Command = {
  about: "offer a drained gateway again",
  args: ["GATEWAY"],
  options: { reason: "why, for the audit log" },
  required: ["reason"],
  audit: ofGateway("offer-gateway"),
  run: (call) => offerChanged(call, "offer-gateway"),
}

function ofGateway(action: string): NonNullable<Command["audit"]> {
  return ({ args: [gateway] }) => (isGatewayId(gateway) ? { action, subject: `gateway ${gateway}` } : null)
}

async function offerChanged(call: Call, action: GatewayAction): Promise<CommandResult> {
  const { billing, config, now } = call
  const [gateway] = call.args
  if (!isGatewayId(gateway)) throw new CommandError(`Unknown gateway "${gateway}".`)
  const problem = await changeGatewayOffer(
    { drains: billing.drains, enabledGateways: config.GATEWAYS },
    { gateway, action, at: now },
  )
  if (problem)
    throw new CommandError(`${gateway} is the only gateway that is offered. Offer another one first.`)
  const drained = (await billing.drains.list()).find((it) => it.gateway === gateway)
  return {
    text: drained ? `${gateway} is drained since ${time(drained.since)}.` : `${gateway} is not drained.`,
    data: { gateway, drainedSince: drained ? jsonTime(drained.since) : null },
  }
}

type Examined = Pick<GatewayStats, "lastUpdateAt"> & {
  readonly id: GatewayId
  readonly role: "offered" | "drained"
  readonly origins: readonly string[]
  readonly reachable: Omit<Diagnostic, "check">
  readonly rejectsForgedCallback: boolean
  readonly openPayments: number
  /** At most 1,000. */
  readonly waitingOrders: number
  readonly rejectedInLast7Days: GatewayStats["refused"]
}

async function diagnose({ billing, config, now }: Call, gateway: Gateway): Promise<Examined> {
  const [reachable, record, waitingOrders, drains] = await Promise.all([
    reachGateway(gateway),
    billing.operator.gateway(gateway.id, now),
    billing.overview.waitingOrders(gateway.id),
    billing.drains.list(),
  ])
  const isDrained = drains.some((it) => it.gateway === gateway.id)
  return {
    id: gateway.id,
    role: config.GATEWAYS.includes(gateway.id) && !isDrained ? "offered" : "drained",
    origins: gateway.origins,
    reachable,
    rejectsForgedCallback: !acceptsForgery(gateway, now),
    lastUpdateAt: record.lastUpdateAt,
    openPayments: record.open,
    waitingOrders,
    rejectedInLast7Days: record.refused,
  }
}

function textOf({ id, role, origins, reachable, lastUpdateAt, ...gateway }: Examined): string {
  const rejected = gateway.rejectedInLast7Days.map(({ reason, count }) => `${count} × ${reason}`).join("; ")
  return [
    `${id}  ${role}  ${origins.join(" ")}`,
    `  reachable                    ${reachable.message}`,
    `  forged callback              ${gateway.rejectsForgedCallback ? "rejected (ok)" : "ACCEPTED: check its secrets"}`,
    `  last update                  ${lastUpdateAt === null ? "none" : time(lastUpdateAt)}`,
    `  open payments                ${gateway.openPayments}`,
    `  waiting orders               ${gateway.waitingOrders}`,
    `  rejected in the last 7 days  ${rejected || "none"}`,
  ].join("\n")
}

/** Whether the gateway accepts a well-formed callback with a forged signature. */
function acceptsForgery(gateway: Gateway, now: Instant): boolean {
  try {
    return gateway.parseCallback(forgedCallback(now)) !== null
  } catch (error) {
    return !(error instanceof UntrustedCallbackError)
  }
}
