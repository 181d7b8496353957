import { createHash } from "node:crypto"
import {
  RateLimiterCompatibleAbstract,
  type RateLimiterLike,
  RateLimiterPostgres,
  RateLimiterRes,
} from "rate-limiter-flexible"
import type { RateLimitTable } from "~/billing/rate-limit-table"
import { SECOND } from "~/domain/calendar"

/** Rate limit: `points` per key within `seconds`. */
export type Limit = { readonly name: string; readonly points: number; readonly seconds: number }

/** `duration`: of its period, in seconds. */
export type Limiter = RateLimiterLike & { readonly duration: number }

export type Limiters = (limit: Limit) => Limiter

/** Counters per limit: visitors choose how many keys there are. */
export const MAX_COUNTERS = 20_000

/** Counts in memory, for a single instance. */
export const inMemory: Limiters = (limit) => new BoundedLimiter(limit)

/** `end`: of its period, in milliseconds since the epoch. */
type Counter = { points: number; readonly end: number }

/**
 * Fixed windows in one map. The library's own limiter in memory has no bound, and a timer for each counter, which takes three
 * times the memory of the counter itself.
 */
class BoundedLimiter extends RateLimiterCompatibleAbstract {
  override readonly keyPrefix: string
  override blockDuration = 0
  override execEvenly = false
  readonly duration: number
  readonly #limit: Limit
  /** All periods have the same length, so the first counter ends first. */
  readonly #counters = new Map<string | number, Counter>()

  constructor(limit: Limit) {
    super()
    this.keyPrefix = limit.name
    this.duration = limit.seconds
    this.#limit = limit
  }

  override async consume(key: string | number, points = 1) {
    const result = this.#add(key, points)
    if (result.consumedPoints > this.#limit.points) throw result
    return result
  }

  override async reward(key: string | number, points = 1) {
    return this.#add(key, -points)
  }

  override async get(key: string | number) {
    const counter = this.#counters.get(key)
    return counter === undefined || counter.end <= Date.now() ? null : this.#result(counter)
  }

  override async delete(key: string | number) {
    return this.#counters.delete(key)
  }

  #add(key: string | number, points: number): RateLimiterRes {
    const now = Date.now()
    const counter = this.#counters.get(key)
    if (counter !== undefined && counter.end > now) {
      counter.points += points
      return this.#result(counter)
    }
    const begun = { points, end: now + this.#limit.seconds * SECOND }
    // Deleted first: a key that is set again keeps its place in a map.
    this.#counters.delete(key)
    this.#counters.set(key, begun)
    this.#dropEnded(now)
    return this.#result(begun)
  }

  /** Deletes the counters whose periods have ended, and beyond `MAX_COUNTERS` those whose periods end first. */
  #dropEnded(now: number): void {
    for (const [key, { end }] of this.#counters) {
      if (end > now && this.#counters.size <= MAX_COUNTERS) return
      this.#counters.delete(key)
    }
  }

  #result({ points, end }: Counter): RateLimiterRes {
    return new RateLimiterRes(Math.max(0, this.#limit.points - points), end - Date.now(), points)
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
