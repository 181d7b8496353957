import { LRUCache } from "lru-cache"
import type { Logger } from "pino"
import { HOUR, type Instant, MINUTE, SECOND } from "~/domain/calendar"
import { type Country, UNKNOWN_COUNTRY } from "~/domain/country"
import type { IpAddress } from "~/http/ip-address.server"
import type { CountryLookup } from "./country-lookup"
import { publicAddress } from "./public-ip.server"

/** Where a public address is; `XX` when the source does not know. May throw and may take its time. */
export type CountrySource = (address: IpAddress) => Promise<Country>

type Surroundings = { now: () => Instant; log: Logger }

/** A page waits for this (spec, section 8). */
const PATIENCE = 1.5 * SECOND
const KNOWN_FOR = 6 * HOUR
/** A source that has failed is given a rest, and visitors are spared the wait. */
const FAILED_FOR = 1 * MINUTE
const MOST_ADDRESSES = 20_000
/** Whoever looks around comes from the same address again and again: what is written of so many is read once. */
const MOST_READ = 2_000

/**
 * Turns a source into a look-up that keeps the port's promises. An answer is kept for hours, and one that is still
 * under way serves everybody who asks for the same address.
 */
export function rememberedLookup(source: CountrySource, { now, log }: Surroundings): CountryLookup {
  let failing = false
  const read = new LRUCache<string, { readonly address: IpAddress | null }>({
    max: MOST_READ,
    memoMethod: (text) => ({ address: publicAddress(text) }),
  })
  const answers = new LRUCache<string, Country, { address: IpAddress }>({
    max: MOST_ADDRESSES,
    ttl: KNOWN_FOR,
    perf: { now },
    async fetchMethod(_key, _stale, { context: { address }, options }) {
      try {
        const country = await inTime(source(address))
        failing = false
        return country
      } catch (error) {
        // Once per outage, not once per visitor; and never with the address.
        if (!failing) log.warn({ reason: reasonOf(error) }, "country lookup failed")
        failing = true
        options.ttl = FAILED_FOR
        return UNKNOWN_COUNTRY
      }
    },
  })

  return async ({ address: text }) => {
    const { address } = read.memo(text ?? "")
    const country = address && (await answers.fetch(address.toString(), { context: { address } }))
    return country ?? UNKNOWN_COUNTRY
  }
}

async function inTime(answer: Promise<Country>): Promise<Country> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${PATIENCE} ms`)), PATIENCE)
  try {
    return await Promise.race([answer, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
