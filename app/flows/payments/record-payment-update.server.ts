import type { Recorded } from "~/billing/payment-repository"
import type { Services } from "~/context/services.server"
import type { GatewayId } from "~/domain/gateway-id"
import type { PaymentNews } from "~/domain/payment"

type Booking = Pick<Services, "till" | "tolerance" | "now" | "wakeJobs" | "log">

/** Books what a gateway says of a payment, and gets the set-up of a paid service going. */
export async function bookNews(services: Booking, gateway: GatewayId, news: PaymentNews): Promise<Recorded> {
  const recorded = await services.till.record(gateway, news, services.now(), services.tolerance[gateway])
  const facts = { gateway, attempt: news.attemptId, status: news.status }
  switch (recorded.kind) {
    case "unknown":
      services.log.warn(facts, "news of a payment that is not ours")
      break
    case "mismatch":
      services.log.error(
        { ...facts, orderId: recorded.orderId },
        "news in another currency than was asked for",
      )
      break
    case "booked":
      if (recorded.told)
        services.log.info({ ...facts, orderId: recorded.orderId, told: recorded.told }, "payment")
      services.wakeJobs()
      break
    case "repeat":
      break
  }
  return recorded
}
