import { z } from "zod"
import { type Instant, SECOND } from "~/domain/calendar"
import { jsonClient } from "~/http/json-client.server"
import { UpstreamError } from "~/http/upstream-error"
import type { CountrySource } from "./cached-lookup.server"

type OnlineSettings = {
  /** The address of the question, with `{ip}` where the visitor's address goes. */
  url: string
  timeoutMs: number
  now: () => Instant
}

/** Failures come with status 200 and without a country, so whatever has none is one (reference: geoip, section 1). */
const LookupResponse = z.object({ countryCode: z.string().regex(/^[A-Z]{2}$/) })

/** How long to be silent when the service does not say; its limits count by the minute. */
const USUAL_SILENCE = 60
const LONGEST_SILENCE = 3_600

/**
 * Asks a service such as ip-api.com or freeipapi.com, which gives the country as `countryCode`. Never repeats a
 * question: these services count them, and shut out for good who does not stop when told to by `X-Rl` and `X-Ttl`.
 */
export function onlineCountry({ url, timeoutMs, now }: OnlineSettings): CountrySource {
  let silentUntil: Instant = 0
  const onAnswer = (headers: Headers) => {
    if (headers.get("x-rl") === "0") silentUntil = now() + silence(headers) * SECOND
  }
  const client = jsonClient({ url, timeoutMs, retryDelaysMs: [], onAnswer })

  return async (address) => {
    if (now() < silentUntil) throw new Error("the country service wants no more questions for now")
    const question = url.replaceAll("{ip}", address.toString())
    const { countryCode } = await client.get(question, LookupResponse).catch(withoutAddress)
    return countryCode
  }
}

/** In seconds. */
function silence(headers: Headers): number {
  const asked = Number(headers.get("x-ttl"))
  return asked > 0 ? Math.min(asked, LONGEST_SILENCE) : USUAL_SILENCE
}

/** The question is the visitor's address, and what is told of a failure names the question. */
function withoutAddress(error: unknown): never {
  if (!(error instanceof UpstreamError)) throw error
  const { kind, status } = error
  throw new Error(`the country service is ${kind}${status === null ? "" : ` (${status})`}`)
}
