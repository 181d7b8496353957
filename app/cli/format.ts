import type { Instant } from "~/domain/calendar"
import { type Money, toDecimal } from "~/domain/money"

export function amount(money: Money): string {
  return `${toDecimal(money)} ${money.currency}`
}

/** To the minute, in UTC. */
export function time(at: Instant): string {
  return new Date(at).toISOString().slice(0, 16).replace("T", " ")
}
