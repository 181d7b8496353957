import type { Instant } from "~/domain/calendar"
import { type Money, toDecimal } from "~/domain/money/money"
import { gatewayIds } from "~/domain/payments/gateway-id"

export function amount(money: Money<string>): string {
  return `${toDecimal(money)} ${money.currency}`
}

/** Where money has come, or was paid back, outside the gateways. */
export const ELSEWHERE = "elsewhere"

/** An amount in `--json` output: `{ "amount": "12.00", "currency": "EUR" }`. */
export function jsonAmount(money: Money<string>): { readonly amount: string; readonly currency: string } {
  return { amount: toDecimal(money), currency: money.currency }
}

/** An instant in `--json` output: `2026-06-15T12:00:00.000Z`. */
export function jsonTime(at: Instant): string {
  return new Date(at).toISOString()
}

/** What is wrong with the name of a gateway. */
export function unknownGateway(name: string | undefined): string {
  return `Unknown gateway "${name}". Valid: ${gatewayIds.join(", ")}.`
}

/** Appends one line for each warning. */
export function withWarnings(message: string, warnings: readonly string[]): string {
  return [message, ...warnings.map((it) => `Warning: ${it}`)].join("\n")
}

/** Formats an instant in UTC, to the minute: `2026-06-15 12:00`. */
export function time(at: Instant): string {
  return new Date(at).toISOString().slice(0, 16).replace("T", " ")
}

/** A number of things: `1 service`, `2 services`; `things` where the plural is another one. */
export function counted(count: number, thing: string, things = `${thing}s`): string {
  return `${count} ${count === 1 ? thing : things}`
}
