import type { LoggedServices } from "~/context/services.server"
import type { Instant } from "~/domain/calendar"
import { GATEWAY_UP_WITHIN } from "~/domain/operators/alert-periods"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { MonitoredGateway } from "~/gateways/gateway"

/** Notes that a gateway is down or up. `at`: of one that is up, when it has responded last; 0 without a response yet. */
type Report = (gateway: GatewayId, isDown: boolean, at: Instant) => Promise<void>

/**
 * Watches which gateways are down, as this process sees them. Returns the function to call repeatedly: it reports each that is up,
 * and each that has been failing for `GATEWAY_UP_WITHIN`, every time.
 */
export function watchGateways(
  { gateways, now }: Pick<LoggedServices, "gateways" | "now">,
  report: Report,
): () => Promise<void> {
  const outages = new Map<GatewayId, Instant>()

  async function watch(id: GatewayId, gateway: MonitoredGateway): Promise<void> {
    if (gateway.healthy()) {
      outages.delete(id)
      // A process that has just started has had no answer yet.
      return report(id, false, gateway.health().lastSuccessAt ?? 0)
    }
    const since = outages.get(id) ?? now()
    outages.set(id, since)
    if (now() - since >= GATEWAY_UP_WITHIN) await report(id, true, now())
  }

  return async () => {
    for (const [id, gateway] of gateways) await watch(id, gateway)
  }
}
