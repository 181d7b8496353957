import { LRUCache } from "lru-cache"
import type { Logger } from "pino"
import { HOUR, type Instant, MINUTE, SECOND } from "~/domain/calendar"
import { type Country, UNKNOWN_COUNTRY } from "~/domain/customers/country"
import type { Circuit } from "~/http/circuit"
import type { IpAddress } from "~/http/ip-address.server"
import type { CountryLookup } from "./country-lookup"
import { publicAddress } from "./public-ip.server"

/** Country of a public address; `XX` if unknown. May throw or be slow. */
export type CountrySource = (address: IpAddress) => Promise<Country>

/** `circuit`: of a service, which is left alone while the circuit is open; a table has none. */
type Surroundings = { now: () => Instant; log: Logger; circuit?: Circuit }

/** A page waits this long at most (specification, Countries). */
const MAX_WAIT = 1.5 * SECOND
const KNOWN_FOR = 6 * HOUR
/** After a failure the source is not queried about the same address for this time, so that its visitors wait once. */
const FAILED_FOR = 1 * MINUTE
const MAX_ADDRESSES = 20_000
/** Parsed addresses that are cached: a visitor's requests repeat the same one. */
const MAX_PARSED = 2_000

/**
 * Turns a source into a `CountryLookup`. Results are cached for hours, and concurrent look-ups of one address share a
 * query. While the source fails, or its circuit is open, an address keeps the country that it had.
 */
export function cachedLookup(source: CountrySource, { now, log, circuit }: Surroundings): CountryLookup {
  let failing = false
  const read = new LRUCache<string, { readonly address: IpAddress | null }>({
    max: MAX_PARSED,
    memoMethod: (text) => ({ address: publicAddress(text) }),
  })
  const cache = new LRUCache<string, Country, { address: IpAddress }>({
    max: MAX_ADDRESSES,
    ttl: KNOWN_FOR,
    perf: { now },
    async fetchMethod(key, before, { context: { address }, options }) {
      if (circuit && !circuit.admits()) {
        options.ttl = FAILED_FOR
        return before
      }
      // A source may throw, too.
      const answer = (async () => source(address))()
      try {
        const country = await inTime(answer)
        succeeded()
        return country
      } catch (error) {
        failed(error)
        options.ttl = FAILED_FOR
        // An answer that is too late for this page is used for the next ones: at the start, the table is still being read.
        answer.then((country) => cache.set(key, country)).catch(() => undefined)
        return before ?? UNKNOWN_COUNTRY
      }
    },
  })

  function succeeded(): void {
    failing = false
    circuit?.succeeded()
  }

  function failed(error: unknown): void {
    // Logged once per outage, without the address.
    if (!failing) log.warn({ reason: reasonOf(error) }, "country lookup failed")
    failing = true
    circuit?.failed()
  }

  return async ({ address: text }) => {
    const { address } = read.memo(text ?? "")
    const country = address && (await cache.fetch(address.toString(), { context: { address } }))
    return country ?? UNKNOWN_COUNTRY
  }
}

async function inTime(promise: Promise<Country>): Promise<Country> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no response within ${MAX_WAIT} ms`)), MAX_WAIT)
  try {
    return await Promise.race([promise, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
