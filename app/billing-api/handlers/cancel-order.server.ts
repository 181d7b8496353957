import type { Said, Told } from "~/billing-api/contract/endpoints"
import type { Order } from "~/domain/order"
import { givenUp } from "~/domain/order-status"
import { giveUpOrder } from "~/flows/payments/cancel-order.server"
import { ApiRefusal } from "./api-error"
import { type Api, ownOrder } from "./ownership"

/** Gives an unpaid order up. One that has come to nothing already is as good; one with money in it goes on. */
export async function cancelOrder(api: Api, said: Said<"cancelOrder">): Promise<Told<"cancelOrder">> {
  const order = await named(api, said)
  const given = givenUp.includes(order.status) ? order : await giveUpOrder(api.services, order.id)
  return ended(given)
}

/** Holds an unpaid order as suspicious. */
export async function fraudOrder(api: Api, said: Said<"fraudOrder">): Promise<Told<"fraudOrder">> {
  const order = await named(api, said)
  const { billing, now } = api.services
  if (!givenUp.includes(order.status)) await billing.fraudOrder(order.id, "the caller says so", now())
  return ended(await billing.order(order.id))
}

async function named(api: Api, { orderid, clientid }: Said<"cancelOrder">): Promise<Order> {
  return ownOrder(api, await api.services.billing.order(orderid), clientid)
}

function ended(order: Order | null): Told<"cancelOrder"> {
  if (order && givenUp.includes(order.status)) return { result: "success" }
  throw new ApiRefusal("conflict", "Order is paid or partially paid")
}
