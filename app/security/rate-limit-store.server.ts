import { createHash } from "node:crypto"
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres } from "rate-limiter-flexible"
import type { RateLimitTable } from "~/billing/rate-limit-table"

/** How often one key may be counted within a span, in seconds. */
export type Limit = { readonly name: string; readonly points: number; readonly seconds: number }

export type Limiters = (limit: Limit) => RateLimiterAbstract

/** Counted in this process, which is right while it is the only one. */
export const inMemory: Limiters = ({ name, points, seconds }) =>
  new RateLimiterMemory({ keyPrefix: name, points, duration: seconds })

/** Counted for all instances together; while the database does not answer, each instance counts for itself. */
export function sharedIn(counters: RateLimitTable): Limiters {
  return (limit) =>
    new RateLimiterPostgres({
      ...{ storeClient: counters, storeType: "client", tableName: counters.table, tableCreated: true },
      ...{ keyPrefix: limit.name, points: limit.points, duration: limit.seconds },
      insuranceLimiter: inMemory(limit),
    })
}

/** No e-mail and no address stands in a table of counters, and none is too long for it. */
export function counterKey(...parts: readonly (string | null)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url")
}
