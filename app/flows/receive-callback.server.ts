import { BillingError } from "~/billing/billing"
import { dayIn } from "~/domain/calendar"
import type { GatewayId } from "~/domain/gateway-id"
import type { PaymentNews } from "~/domain/payment"
import {
  type Gateway,
  GatewayError,
  type PaymentHint,
  type RawCallback,
  UntrustedCallback,
} from "~/gateways/gateway"
import type { Services } from "~/services.server"
import { bookNews } from "./book-news.server"

/** `accepted` once the news is stored, or is none of our business; `refused` tells the caller nothing. */
export type Reception = "accepted" | "refused" | "no-such-gateway"

/**
 * A gateway calls: checks that it is the gateway, and books what it says (design, section 5, step 6). One that only
 * says that something has happened is asked at once. Throws a `GatewayError` when its words cannot be read or it
 * does not answer: then nothing is stored, and it calls again.
 */
export async function receiveCallback(
  services: Services,
  id: GatewayId,
  callback: RawCallback,
): Promise<Reception> {
  const gateway = services.gateways.get(id)
  if (!gateway) return "no-such-gateway"
  try {
    const said = gateway.readCallback(callback)
    const news = said && (await newsBehind(gateway, said))
    if (news) await bookNews(services, id, news)
    return "accepted"
  } catch (error) {
    if (!(error instanceof UntrustedCallback)) throw error
    await noteRefusal(services, id, error.message)
    return "refused"
  }
}

async function newsBehind(gateway: Gateway, said: PaymentNews | PaymentHint): Promise<PaymentNews | null> {
  if (!("askAbout" in said)) return said
  const news = await gateway.askPayment({ paymentId: said.askAbout })
  if (!news || news.attemptId === said.attemptId) return news
  throw new GatewayError("unreadable", `${gateway.id} calls about another attempt than it answers about`)
}

/** For the log and for the operator's doctor; the caller is told nothing. */
async function noteRefusal(services: Services, id: GatewayId, reason: string): Promise<void> {
  const { till, rateLimits, shop, now, log } = services
  log.warn({ gateway: id, reason }, "callback refused")
  if (!(await rateLimits.refusal(id)).ok) return
  try {
    await till.noteRefusal(id, reason, dayIn(shop.timeZone, now()))
  } catch (error) {
    // The answer to whoever calls does not depend on it.
    if (!(error instanceof BillingError)) throw error
    log.warn({ err: error, gateway: id }, "refused callback not counted")
  }
}
