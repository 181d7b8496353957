import { isGatewayId } from "~/domain/gateway-id"
import { localInstant } from "~/domain/local-time"
import { isCurrency } from "~/domain/money"
import { orderKinds } from "~/domain/order"
import { tagIn } from "~/domain/order-notes"
import { orderStatuses } from "~/domain/order-status"
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
    from: dayIn(textOf("from"), timeZone),
    to: dayIn(dayAfter(textOf("to")), timeZone),
    paidFrom: dayIn(textOf("paidFrom"), timeZone),
    paidTo: dayIn(dayAfter(textOf("paidTo")), timeZone),
  }
  const { promotion, to, paidTo, ...rest } = parsed
  return {
    filter: { ...rest, promoCode: promotion, until: to, paidUntil: paidTo },
    invalid: orderFilterFields.filter((it) => textOf(it).trim() !== "" && parsed[it] === undefined),
  }
}

/** First moment of a day; absent if the text is none. */
export function dayIn(text: string, timeZone: string) {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? (localInstant(text, timeZone) ?? undefined) : undefined
}

/** The day after one; empty if the text is none. */
export function dayAfter(day: string): string {
  const at = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(day) : Number.NaN
  if (Number.isNaN(at)) return ""
  const next = new Date(at)
  next.setUTCDate(next.getUTCDate() + 1)
  return next.toISOString().slice(0, 10)
}
