import type { Diagnostic } from "~/billing/diagnostic"
import type { GatewayStats } from "~/billing/embedded/payments/gateway-stats.server"
import type { Instant } from "~/domain/calendar"
import type { GatewayId } from "~/domain/gateway-id"
import { forgedCallback } from "~/gateways/forged-callback"
import { type Gateway, UntrustedCallbackError } from "~/gateways/gateway"
import type { Call, Command } from "../command"
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
  const [reachable, record, waitingOrders] = await Promise.all([
    reachGateway(gateway),
    billing.operator.gateway(gateway.id, now),
    billing.overview.waitingOrders(gateway.id),
  ])
  return {
    id: gateway.id,
    role: roleOf(gateway.id, config.GATEWAYS),
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

function roleOf(id: GatewayId, enabledGateways: readonly GatewayId[]): Examined["role"] {
  return enabledGateways.includes(id) ? "offered" : "drained"
}

/** Whether the gateway accepts a well-formed callback with a forged signature. */
function acceptsForgery(gateway: Gateway, now: Instant): boolean {
  try {
    return gateway.parseCallback(forgedCallback(now)) !== null
  } catch (error) {
    return !(error instanceof UntrustedCallbackError)
  }
}
