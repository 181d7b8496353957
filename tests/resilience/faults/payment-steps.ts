import type { Services } from "~/context/services.server"
import { SECOND } from "~/domain/calendar"
import type { GatewayId } from "~/domain/gateway-id"
import type { Order } from "~/domain/order"
import { changeGateway, payAgain } from "~/flows/payments/change-gateway.server"
import { watchOrder } from "~/flows/payments/get-order-progress.server"
import { type Opening, openPayment } from "~/flows/payments/open-payment.server"
import type { OutcomeName } from "~/sandbox/outcomes"
import type { Step, Traveller } from "./journey"

export const open: Step = {
  name: "goes to the gateway",
  act: (traveller) => led(traveller, (services, it) => openPayment(services, it, way(traveller.gateway))),
}

export const payAnew: Step = {
  name: "opens the payment anew",
  act: (traveller) =>
    led(traveller, (services, { id }) => payAgain(services, id, { visitor: null, quoteAnew: true })),
}

export function change(to: GatewayId): Step {
  return {
    name: `changes to ${to}`,
    act: (traveller) => led(traveller, (services, { id }) => changeGateway(services, id, way(to))),
  }
}

const way = (gateway: GatewayId) => ({ gateway, coin: null })

async function led(
  traveller: Traveller,
  opens: (services: Services, order: Order) => Promise<Opening>,
): Promise<boolean> {
  const { services } = traveller.shop
  const now = traveller.order && (await services.billing.order(traveller.order.id))
  if (!now) return false
  const opening = await opens(services, now)
  if (opening.kind === "opened") traveller.payUrls.push(opening.url)
  return opening.kind !== "not-opened"
}

/** Decides on a gateway's page: on the one he was led to last, or first. A page that takes nothing is left. */
export function decide(outcome: OutcomeName, at: 0 | -1 = -1): Step {
  return {
    name: `${outcome} at the gateway`,
    async act({ shop, payUrls }) {
      const url = payUrls.at(at)
      if (url) await shop.decide(url, outcome)
      return true
    },
  }
}

/** Comes back from the gateway, and looks again a moment later. */
export const comeBack: Step = {
  name: "comes back",
  async act({ shop, order }) {
    if (!order) return false
    shop.wait(3 * SECOND)
    await watchOrder(shop.services, order.id)
    shop.wait(3 * SECOND)
    return (await watchOrder(shop.services, order.id)) !== null
  },
}
