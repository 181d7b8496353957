import type { Logger } from "pino"
import { z } from "zod"
import { type Instant, SECOND } from "~/domain/calendar"
import { type Circuit, createCircuit } from "~/http/circuit"
import { jsonClient } from "~/http/json-client.server"
import type { ResponseHeaders } from "~/http/upstream-client.server"
import { UpstreamError } from "~/http/upstream-error"
import type { CountrySource } from "./cached-lookup.server"

type OnlineSettings = {
  /** URL of the service, with `{ip}` for the visitor's address. */
  url: string
  timeoutMs: number
  now: () => Instant
}

/** These services report failures with status 200 and without a country. */
const LookupResponse = z.object({ countryCode: z.string().regex(/^[A-Z]{2}$/) })

/** Pause in seconds if the service names none; its limits count by the minute. */
const USUAL_SILENCE = 60
const MAX_SILENCE = 3_600

/** So many failures in a row, and no visitor waits for the service until it is tried again. */
const MAX_FAILURES = 3
/** A visitor waits for each trial. */
const RETRY_AFTER = 30 * SECOND

/** Creates the circuit of a country service. `log` gets a line when it closes. */
export function countryServiceCircuit({ now, log }: { now: () => Instant; log: Logger }): Circuit {
  return createCircuit({
    now,
    maxFailures: MAX_FAILURES,
    trialPauses: [RETRY_AFTER],
    onClosed: () => log.info("country lookup works again"),
  })
}

/**
 * Queries a service such as ip-api.com or freeipapi.com, which returns the country as `countryCode`. Never retries: these
 * services count requests, and ban clients that ignore `X-Rl` and `X-Ttl`.
 */
export function onlineCountry({ url, timeoutMs, now }: OnlineSettings): CountrySource {
  let silentUntil: Instant = 0
  const onResponse = (headers: ResponseHeaders) => {
    if (headers.get("x-rl") === "0") silentUntil = now() + silence(headers) * SECOND
  }
  const client = jsonClient({ url, timeoutMs, retryDelaysMs: [], onResponse })

  return async (address) => {
    if (now() < silentUntil) throw new Error("Country service unavailable: rate limited")
    const question = url.replaceAll("{ip}", address.toString())
    const { countryCode } = await client.get(question, LookupResponse).catch(withoutAddress)
    return countryCode
  }
}

/** Pause in seconds that the response demands. */
function silence(headers: ResponseHeaders): number {
  const now = Number(headers.get("x-ttl"))
  return now > 0 ? Math.min(now, MAX_SILENCE) : USUAL_SILENCE
}

/** The URL contains the visitor's address, so the error must not name it. */
function withoutAddress(error: unknown): never {
  if (!(error instanceof UpstreamError)) throw error
  const { kind, status } = error
  throw new Error(`Country service ${kind}${status === null ? "" : ` (${status})`}`)
}
