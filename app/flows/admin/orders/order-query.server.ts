import { endOfDay, startOfDay } from "~/domain/local-time"
import { isCurrency } from "~/domain/money/money"
import { orderKinds } from "~/domain/orders/order"
import { tagIn } from "~/domain/orders/order-notes"
import { orderStatuses } from "~/domain/orders/order-status"
import { isGatewayId } from "~/domain/payments/gateway-id"
import type { OrderFilter } from "./find-orders.server"

export const orderFilterFields = [
  "status",
  "kind",
  "tag",
  "gateway",
  "country",
  "currency",
  "promotion",
  "from",
  "to",
  "paidFrom",
  "paidTo",
] as const
export type OrderFilterField = (typeof orderFilterFields)[number]

export type OrderQuery = {
  readonly filter: OrderFilter
  /** Fields whose text is not valid: they filter nothing. */
  readonly invalid: readonly OrderFilterField[]
}

/** The filter of an address or a form. `timeZone`: of its days. */
export function orderQueryIn(textOf: (field: OrderFilterField) => string, timeZone: string): OrderQuery {
  const country = textOf("country").trim().toUpperCase()
  const gateway = textOf("gateway")
  const currency = textOf("currency")
  const parsed = {
    status: orderStatuses.find((it) => it === textOf("status")),
    kind: orderKinds.find((it) => it === textOf("kind")),
    tag: tagIn(textOf("tag")) ?? undefined,
    gateway: isGatewayId(gateway) ? gateway : undefined,
    country: /^[A-Z]{2}$/.test(country) ? country : undefined,
    currency: isCurrency(currency) ? currency : undefined,
    promotion: textOf("promotion").trim() || undefined,
    from: startOfDay(textOf("from"), timeZone),
    to: endOfDay(textOf("to"), timeZone),
    paidFrom: startOfDay(textOf("paidFrom"), timeZone),
    paidTo: endOfDay(textOf("paidTo"), timeZone),
  }
  const { promotion, to, paidTo, ...rest } = parsed
  return {
    filter: { ...rest, promoCode: promotion, until: to, paidUntil: paidTo },
    invalid: orderFilterFields.filter((it) => textOf(it).trim() !== "" && parsed[it] === undefined),
  }
}
