import { type Call, type Command, CommandError, type CommandResult, type JsonObject } from "~/cli/command"
import { jsonTime, time, unknownGateway } from "~/cli/format"
import { type GatewayId, isGatewayId } from "~/domain/payments/gateway-id"
import { changeGatewayOffer, type GatewayAction } from "~/flows/admin/payments/drain-gateway.server"
import {
  type ExaminedGateway,
  examineGateway,
  gatewayDiagnostics,
} from "~/flows/admin/payments/examine-gateway.server"
import type { Gateway } from "~/gateways/gateway"

/** Checks each gateway: reachable, rejects a forged callback, recent activity. */
export const checkGateways: Command = {
  about: "check each gateway and show recent activity",
  args: [],
  async run(call) {
    const opened = [...call.gateways().values()]
    const examined = await Promise.all(opened.map((gateway) => examine(call, gateway)))
    return { text: examined.map(textOf).join("\n\n"), data: { gateways: examined.map(jsonOf) } }
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
  if (!isGatewayId(gateway)) throw new CommandError(unknownGateway(gateway))
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

type Examined = ExaminedGateway & {
  readonly id: GatewayId
  readonly role: "offered" | "drained"
  readonly origins: readonly string[]
}

async function examine({ billing, config, now }: Call, gateway: Gateway): Promise<Examined> {
  const [examined, drains] = await Promise.all([
    examineGateway(billing.overview, gateway, now),
    billing.drains.list(),
  ])
  const isDrained = drains.some((it) => it.gateway === gateway.id)
  return {
    ...examined,
    id: gateway.id,
    role: config.GATEWAYS.includes(gateway.id) && !isDrained ? "offered" : "drained",
    origins: gateway.origins,
  }
}

function textOf({ id, role, origins, ...examined }: Examined): string {
  const findings = gatewayDiagnostics(examined, time)
  return [
    `${id}  ${role}  ${origins.join(" ")}`,
    ...findings.map(({ check, message }) => `  ${check.padEnd(27)}  ${message}`),
  ].join("\n")
}

function jsonOf({ stats, ...examined }: Examined): JsonObject {
  const { lastUpdateAt, open, refused } = stats
  return {
    ...examined,
    openPayments: open,
    rejectedInLast7Days: refused,
    lastUpdateAt: lastUpdateAt === null ? null : jsonTime(lastUpdateAt),
  }
}
