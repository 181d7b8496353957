import { createHash } from "node:crypto"
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres } from "rate-limiter-flexible"
import type { RateLimitTable } from "~/billing/rate-limit-table"

/** Rate limit: `points` per key within `seconds`. */
export type Limit = { readonly name: string; readonly points: number; readonly seconds: number }

export type Limiters = (limit: Limit) => RateLimiterAbstract

/** Counters per limit. Each has a timer, and visitors choose how many keys there are. */
export const MAX_COUNTERS = 20_000

/** Counts in memory, for a single instance. */
export const inMemory: Limiters = ({ name, points, seconds }) =>
  new BoundedLimiter({ keyPrefix: name, points, duration: seconds })

/** Beyond `MAX_COUNTERS`, deletes the counters whose periods end first. */
class BoundedLimiter extends RateLimiterMemory {
  /** The end of each counter's period. All periods have the same length, so the first key ends first. */
  readonly #ends = new Map<string | number, number>()

  override consume(key: string | number, points?: number) {
    this.#remember(key)
    return super.consume(key, points)
  }

  override reward(key: string | number, points?: number) {
    this.#remember(key)
    return super.reward(key, points)
  }

  override delete(key: string | number) {
    this.#ends.delete(key)
    return super.delete(key)
  }

  #remember(key: string | number): void {
    const now = Date.now()
    if ((this.#ends.get(key) ?? 0) > now) return
    this.#ends.delete(key)
    this.#ends.set(key, now + this.msDuration)
    for (const [first, end] of this.#ends) {
      if (end > now && this.#ends.size <= MAX_COUNTERS) return
      void this.delete(first)
    }
  }
}

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
