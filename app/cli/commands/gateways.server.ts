import type { Instant } from "~/domain/calendar"
import type { GatewayId } from "~/domain/gateway-id"
import { forgedCallback } from "~/gateways/forged-callback"
import { type Gateway, UntrustedCallbackError } from "~/gateways/gateway"
import type { Call, Command } from "../command"
import { time } from "../format"
import { reachGateway } from "../reach-gateway.server"

/** Checks each gateway: reachable, rejects a forged callback, recent activity. */
export const gateways: Command = {
  args: [],
  async run(call) {
    const opened = [...call.gateways().values()]
    const examined = await Promise.all(opened.map((gateway) => diagnose(call, gateway)))
    return examined.join("\n\n")
  },
}

async function diagnose({ billing, config, now }: Call, gateway: Gateway): Promise<string> {
  const [reachable, record] = await Promise.all([
    reachGateway(gateway),
    billing.operator.gateway(gateway.id, now),
  ])
  const { lastUpdateAt, open, refused } = record
  return [
    `${gateway.id}  ${roleOf(gateway.id, config.GATEWAYS)}  ${gateway.origins.join(" ")}`,
    `  reachable                    ${reachable.message}`,
    `  forged callback              ${acceptsForgery(gateway, now) ? "ACCEPTED: check its secrets" : "rejected (ok)"}`,
    `  last update                  ${lastUpdateAt === null ? "none" : time(lastUpdateAt)}`,
    `  open payments                ${open}`,
    `  rejected in the last 7 days  ${refused.length === 0 ? "none" : refused.map(({ reason, count }) => `${count} × ${reason}`).join("; ")}`,
  ].join("\n")
}

function roleOf(id: GatewayId, enabledGateways: readonly GatewayId[]): string {
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
