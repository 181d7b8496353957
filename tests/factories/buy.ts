import type { Choices } from "~/domain/choices"
import { openPayment } from "~/flows/open-payment.server"
import { placeOrder } from "~/flows/place-order.server"
import { choice, type TestShop, TOTAL } from "./shop"

export function request(changes: { orderId?: string; agreedTotal?: number | null; choices?: Choices } = {}) {
  return {
    ...{ choices: choice, key: "draft-1", orderId: null, agreedTotal: TOTAL, address: null },
    ...{ locale: "en-en" as const, ...changes },
  }
}

export async function buy({ services }: TestShop, changes: Parameters<typeof request>[0] = {}) {
  const placement = await placeOrder(services, request(changes))
  if (placement.kind !== "placed") throw new Error(`The order was not placed: ${placement.kind}`)
  return { order: placement.order, opening: await openPayment(services, placement.order, "offshore") }
}
