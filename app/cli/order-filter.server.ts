import type { Instant } from "~/domain/calendar"
import { endOfDay, startOfDay } from "~/domain/local-time"
import { currencies, isCurrency } from "~/domain/money/money"
import { typedMinor } from "~/domain/money/typed-amount"
import { orderKinds } from "~/domain/orders/order"
import { tagIn } from "~/domain/orders/order-notes"
import { orderStatuses } from "~/domain/orders/order-status"
import { isGatewayId } from "~/domain/payments/gateway-id"
import type { OrderFilter } from "~/flows/admin/orders/find-orders.server"
import { type Call, type Command, UsageError } from "./command"
import { unknownGateway } from "./format"

/** Options by which commands choose orders. */
export const orderFilterOptions = {
  status: `only orders with this status: ${orderStatuses.join(", ")}`,
  gateway: "only orders whose gateway is this",
  country: "only orders of customers of this country, such as DE",
  kind: `only orders of this kind: ${orderKinds.join(", ")}`,
  tag: "only orders with this tag",
  currency: `only orders in this currency: ${currencies.join(", ")}`,
  promotion: "only orders with this promo code",
  amount: "only orders with this total, such as 98.90, in any currency",
  from: "placed on this day of the shop's calendar or later, such as 2026-11-01",
  to: "placed on this day or before",
  "paid-from": "paid on this day or later",
  "paid-to": "paid on this day or before",
} as const satisfies Command["options"]

/** The filter of a command. Throws `UsageError` for an invalid value. */
export function orderFilterIn({ options, config }: Pick<Call, "options" | "config">): OrderFilter {
  return {
    status: statusIn(options.status),
    gateway: gatewayIn(options.gateway),
    country: countryIn(options.country),
    kind: kindIn(options.kind),
    tag: tagOption(options.tag),
    currency: currencyIn(options.currency),
    promoCode: options.promotion,
    total: amountIn(options.amount),
    from: startOption("from", options.from, config.TIME_ZONE),
    until: endOption("to", options.to, config.TIME_ZONE),
    paidFrom: startOption("paid-from", options["paid-from"], config.TIME_ZONE),
    paidUntil: endOption("paid-to", options["paid-to"], config.TIME_ZONE),
  }
}

function kindIn(value: string | undefined) {
  const kind = orderKinds.find((it) => it === value)
  if (value !== undefined && !kind)
    throw new UsageError(`Unknown kind "${value}". Valid: ${orderKinds.join(", ")}.`)
  return kind
}

function tagOption(value: string | undefined) {
  if (value === undefined) return undefined
  const tag = tagIn(value)
  if (tag === null) throw new UsageError(`Invalid tag "${value}".`)
  return tag
}

function currencyIn(value: string | undefined) {
  if (value === undefined || isCurrency(value)) return value
  throw new UsageError(`Unknown currency "${value}". Valid: ${currencies.join(", ")}.`)
}

function statusIn(value: string | undefined) {
  const status = orderStatuses.find((it) => it === value)
  if (value !== undefined && !status)
    throw new UsageError(`Unknown status "${value}". Valid: ${orderStatuses.join(", ")}.`)
  return status
}

function gatewayIn(value: string | undefined) {
  if (value === undefined || isGatewayId(value)) return value
  throw new UsageError(unknownGateway(value))
}

function countryIn(value: string | undefined) {
  if (value === undefined || /^[a-z]{2}$/i.test(value)) return value?.toUpperCase()
  throw new UsageError(`--country must have two letters, such as DE.`)
}

function amountIn(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const total = typedMinor(value)
  if (total === null) throw new UsageError("--amount must be an amount such as 98.90.")
  return total
}

type DayOption = "from" | "to" | "paid-from" | "paid-to"

/** The first moment of the day that an option names, by the shop's calendar. Throws `UsageError` if it is none. */
export function startOption(option: DayOption, value: string | undefined, timeZone: string) {
  return value === undefined ? undefined : existing(option, startOfDay(value, timeZone))
}

/** The first moment after the day that an option names, by the shop's calendar. Throws `UsageError` if it is none. */
export function endOption(option: DayOption, value: string | undefined, timeZone: string) {
  return value === undefined ? undefined : existing(option, endOfDay(value, timeZone))
}

function existing(option: DayOption, at: Instant | undefined): Instant {
  if (at === undefined) throw new UsageError(`--${option} must be a day such as 2026-11-01.`)
  return at
}
