import { setTimeout as pause } from "node:timers/promises"
import type { LoggedServices } from "~/context/services.server"
import { SECOND } from "~/domain/calendar"
import type { Order } from "~/domain/orders/order"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { changeGateway, payAgain } from "~/flows/payments/change-gateway.server"
import { getOrderProgress } from "~/flows/payments/get-order-progress.server"
import { openPayment, type PaymentStart } from "~/flows/payments/open-payment.server"
import type { OutcomeName } from "~/sandbox/outcomes"
import type { JourneyContext, Step } from "./journey"

export const open: Step = {
  name: "goes to the gateway",
  act: (traveller) => led(traveller, (services, it) => openPayment(services, it, method(traveller.gateway))),
}

export const retryPaymentStep: Step = {
  name: "opens the payment anew",
  act: (traveller) =>
    led(traveller, (services, { id }) => payAgain(services, id, { visitor: null, requote: true })),
}

export function change(to: GatewayId): Step {
  return {
    name: `changes to ${to}`,
    act: (traveller) => led(traveller, (services, { id }) => changeGateway(services, id, method(to))),
  }
}

const method = (gateway: GatewayId) => ({ gateway, coin: null })

type Opens = (services: LoggedServices, order: Order) => Promise<PaymentStart>

const LOOKS_EVERY = 10

async function led(traveller: JourneyContext, opens: Opens): Promise<boolean> {
  const { services } = traveller.shop
  const now = traveller.order && (await services.billing.order(traveller.order.id))
  if (!now) return false
  const opening = await opensOnceChecked(traveller, now, opens)
  if (opening.kind === "opened") traveller.payUrls.push(opening.url)
  return opening.kind !== "not-opened" && opening.kind !== "pending"
}

/**
 * Opens the page that checks whether the order exists. If the check is still running, the page is reloaded until it
 * ends.
 */
async function opensOnceChecked(
  traveller: JourneyContext,
  order: Order,
  opens: Opens,
): Promise<PaymentStart> {
  const { shop, isChecked } = traveller
  const { billing, orderSync } = shop.services
  const opening = await opens(shop.services, order)
  if (opening.kind !== "pending") return opening
  traveller.isChecked = true
  if (!isChecked) return opening
  while (await orderSync?.isBeingPlaced(order.id)) {
    // The page polls in the background, over a connection of its own.
    await pause(LOOKS_EVERY)
    shop.wait(2 * SECOND)
  }
  return opens(shop.services, (await billing.order(order.id)) ?? order)
}

/**
 * Chooses an outcome on the payment page that was opened last (-1) or first (0). A page that accepts nothing is left.
 */
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

/** Returns from the gateway and reloads the page a moment later. */
export const comeBack: Step = {
  name: "comes back",
  async act({ shop, order }) {
    if (!order) return false
    shop.wait(3 * SECOND)
    await getOrderProgress(shop.services, order.id)
    shop.wait(3 * SECOND)
    return (await getOrderProgress(shop.services, order.id)) !== null
  },
}
