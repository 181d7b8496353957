import { SECOND } from "~/domain/calendar"
import type { Proven } from "~/domain/customer"
import type { Order } from "~/domain/order"
import { askAboutOrder } from "~/flows/ask-gateway.server"
import { openPayment } from "~/flows/open-payment.server"
import { type OrderRequest, placeOrder } from "~/flows/place-order.server"
import { runJobs } from "~/flows/run-jobs.server"
import { choice, type TestShop, TOTAL } from "./shop"

export function request(changes: Partial<OrderRequest> = {}) {
  return {
    ...{
      choices: choice,
      customer: null,
      key: "draft-1",
      orderId: null,
      agreedTotal: TOTAL,
      address: null,
      affiliateId: null,
    },
    ...{ locale: "en-en" as const, ...changes },
  }
}

export async function buy({ services }: TestShop, changes: Parameters<typeof request>[0] = {}) {
  const placement = await placeOrder(services, request(changes))
  if (placement.kind !== "placed") throw new Error(`The order was not placed: ${placement.kind}`)
  return {
    order: placement.order,
    opening: await openPayment(services, placement.order, { gateway: "offshore", coin: null }),
  }
}

/** The browser that has made an order, as the flows see it. */
export function browserWith(order: Order | null, customer: Proven | null = null) {
  return {
    ...{ orderId: order?.id ?? null, serviceIds: order ? [order.serviceId] : [] },
    ...{ serviceId: null, customer },
  }
}

/** Buys and pays the usual choice, and waits until its service works. */
export async function bought(shop: TestShop, changes: Parameters<typeof request>[0] = {}): Promise<Order> {
  const { order } = await buy(shop, changes)
  await pay(shop, order)
  return order
}

/** Pays whatever an order asks for, and carries out what follows. */
export async function pay(shop: TestShop, order: Order): Promise<void> {
  shop.gateway.says("paid", order.total.minor)
  shop.wait(SECOND)
  await askAboutOrder(shop.services, order.id, true)
  shop.gateway.says("pending", 0)
  await runJobs(shop.services)
}
