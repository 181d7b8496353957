import type { GatewayId } from "~/domain/gateway-id"
import { type RawCallback, UntrustedCallback } from "~/gateways/gateway"
import type { Services } from "~/services.server"
import { bookNews } from "./book-news.server"

/** `accepted` once the news is stored, or is none of our business; `refused` tells the caller nothing. */
export type Reception = "accepted" | "refused" | "no-such-gateway"

/** A gateway calls: checks that it is the gateway, and books what it says (design, section 5, step 6). */
export async function receiveCallback(
  services: Services,
  id: GatewayId,
  callback: RawCallback,
): Promise<Reception> {
  const gateway = services.gateways.get(id)
  if (!gateway) return "no-such-gateway"
  try {
    const news = gateway.readCallback(callback)
    if (news) await bookNews(services, id, news)
    return "accepted"
  } catch (error) {
    if (!(error instanceof UntrustedCallback)) throw error
    services.log.warn({ gateway: id, reason: error.message }, "callback refused")
    return "refused"
  }
}
