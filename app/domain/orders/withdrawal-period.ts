import { Temporal } from "temporal-polyfill"
import type { Instant } from "../calendar"
import type { Order } from "./order"

/**
 * Until when a buyer may withdraw from an order; null if its sale has no such period. The day of the order does not count, and
 * the last day counts in full (Regulation 1182/71, article 3), in the shop's time zone.
 */
export function withdrawalEnd(
  { placedAt, saleTerms }: Pick<Order, "placedAt" | "saleTerms">,
  timeZone: string,
): Instant | null {
  const days = saleTerms?.withdrawalDays ?? null
  if (days === null) return null
  const dayOfOrder = Temporal.Instant.fromEpochMilliseconds(placedAt).toZonedDateTimeISO(timeZone)
  const dayAfter = dayOfOrder.add({ days: days + 1 }).startOfDay()
  return dayAfter.epochMilliseconds - 1
}
