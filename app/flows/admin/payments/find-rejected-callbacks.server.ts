import type { ConsoleOverview, RejectedCallbacks } from "~/billing/console-overview"
import { DAY, type Day, dayIn, type Instant } from "~/domain/calendar"
import { localInstant } from "~/domain/local-time"
import { type GatewayId, gatewayIds, isGatewayId } from "~/domain/payments/gateway-id"
import type { StoredCallback } from "~/domain/payments/rejected-callback"

/** Days that are listed if none is given. */
const USUAL = 30 * DAY

export type RejectedFilter = { readonly gateway?: GatewayId | undefined; readonly since?: Day | undefined }

type Finding = {
  readonly overview: Pick<ConsoleOverview, "rejectedCallbacks" | "storedCallbacks">
  readonly timeZone: string
  readonly now: Instant
}

type FoundCallbacks = {
  readonly rows: readonly RejectedCallbacks[]
  /** Those that are stored as they were sent, the newest first. */
  readonly stored: readonly StoredCallback[]
  readonly since: Day
  /** There are more rows. */
  readonly isCut: boolean
}

/**
 * Callbacks that were rejected, counted by day of the shop's calendar, gateway and reason, the newest day first; at most `limit`
 * rows, and as many of those that are stored.
 */
export async function findRejectedCallbacks(
  { overview, timeZone, now }: Finding,
  { gateway, since }: RejectedFilter,
  limit: number,
): Promise<FoundCallbacks> {
  const from = since ?? dayIn(timeZone, now - USUAL)
  const gateways = gateway === undefined ? gatewayIds : [gateway]
  const [rows, stored] = await Promise.all([
    overview.rejectedCallbacks({ gateways, since: from, limit: limit + 1 }),
    overview.storedCallbacks({ gateways, since: localInstant(from, timeZone) ?? 0, limit }),
  ])
  return { rows: rows.slice(0, limit), stored, since: from, isCut: rows.length > limit }
}

const rejectedFilterFields = ["gateway", "since"] as const
export type RejectedFilterField = (typeof rejectedFilterFields)[number]

/** The filter of an address or a command. A text that is none filters nothing. */
export function rejectedQueryIn(textOf: (field: RejectedFilterField) => string) {
  const [gateway, since] = [textOf("gateway").trim(), textOf("since").trim()]
  const isDay = /^\d{4}-\d\d-\d\d$/.test(since) && localInstant(since, "UTC") !== null
  const filter: RejectedFilter = {
    gateway: isGatewayId(gateway) ? gateway : undefined,
    since: isDay ? since : undefined,
  }
  const typed = { gateway, since }
  return {
    filter,
    typed,
    invalid: rejectedFilterFields.filter((it) => typed[it] !== "" && filter[it] === undefined),
  }
}
