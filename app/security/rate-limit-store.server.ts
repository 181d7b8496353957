import { createHash } from "node:crypto"
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres } from "rate-limiter-flexible"
import type { RateLimitTable } from "~/billing/rate-limit-table"

/** Rate limit: `points` per key within `seconds`. */
export type Limit = { readonly name: string; readonly points: number; readonly seconds: number }

export type Limiters = (limit: Limit) => RateLimiterAbstract

/** Counts in memory, for a single instance. */
export const inMemory: Limiters = ({ name, points, seconds }) =>
  new RateLimiterMemory({ keyPrefix: name, points, duration: seconds })

/** Counts in the database for all instances; falls back to memory while the database is unavailable. */
export function sharedIn(counters: RateLimitTable): Limiters {
  return (limit) =>
    new RateLimiterPostgres({
      storeClient: counters,
      storeType: "client",
      tableName: counters.table,
      tableCreated: true,
      keyPrefix: limit.name,
      points: limit.points,
      duration: limit.seconds,
      insuranceLimiter: inMemory(limit),
    })
}

/** Hashes the parts, so that the counter table holds no e-mail or address, and keys have a fixed length. */
export function counterKey(...parts: readonly (string | null)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url")
}
