import { LRUCache } from "lru-cache"
import type { Logger } from "pino"
import { DAY, HOUR, type Instant, MINUTE, SECOND } from "~/domain/calendar"
import type { NumberAnswer, NumberCheck } from "~/domain/customers/business"
import { unionCountries } from "~/domain/tax/tax"
import { countryOfTaxNumber } from "~/domain/tax/tax-number"
import { createCircuit } from "~/http/circuit"
import { parseVatNumber } from "./parse-vat-number.server"
import type { VatNumbers } from "./vat-numbers"

/** Asks a service for a number. Throws without an answer. */
type Ask = (taxNumber: string) => Promise<Pick<NumberCheck, "result" | "requestId">>

type Surroundings = { readonly now: () => Instant; readonly log: Logger }

const MAX_NUMBERS = 10_000
/** How long an answer counts. A number may be registered any time; a service that did not answer is asked again soon. */
const KEPT_FOR: Readonly<Record<NumberAnswer, number>> = {
  valid: 1 * DAY,
  invalid: 1 * HOUR,
  unanswered: 1 * MINUTE,
  unchecked: 1 * MINUTE,
}
/** So many requests in a row without an answer, and nobody waits for the service until it is tried again. */
const MAX_FAILURES = 3
const RETRY_AFTER = 30 * SECOND

/** Numbers whose form alone is checked. */
export function uncheckedNumbers({ now }: Pick<Surroundings, "now">): VatNumbers {
  return {
    parse: parseVatNumber,
    check: async () => ({ result: "unchecked", at: now(), requestId: null }),
  }
}

/**
 * Numbers of the Union that a service confirms; others are `unchecked`. Answers are kept for a while, concurrent questions about
 * one number are one, and a service that fails repeatedly is left alone for half a minute.
 */
export function checkedNumbers(ask: Ask, { now, log }: Surroundings): VatNumbers {
  const circuit = createCircuit({ now, maxFailures: MAX_FAILURES, trialPauses: [RETRY_AFTER] })
  const known = new LRUCache<string, NumberCheck>({
    max: MAX_NUMBERS,
    ttl: 1,
    ttlResolution: 0,
    perf: { now },
    async fetchMethod(taxNumber, _stale, { options }) {
      const check = await answerOf(taxNumber)
      options.ttl = KEPT_FOR[check.result]
      return check
    },
  })

  async function answerOf(taxNumber: string): Promise<NumberCheck> {
    if (!circuit.admits()) return { result: "unanswered", at: now(), requestId: null }
    try {
      const { result, requestId } = await ask(taxNumber)
      circuit.succeeded()
      return { result, at: now(), requestId }
    } catch (error) {
      circuit.failed()
      // Without the number, which may be a person's.
      log.warn({ reason: error instanceof Error ? error.message : String(error) }, "tax number not checked")
      return { result: "unanswered", at: now(), requestId: null }
    }
  }

  return {
    parse: parseVatNumber,
    async check(taxNumber) {
      const isAsked = unionCountries.includes(countryOfTaxNumber(taxNumber))
      const unchecked = { result: "unchecked", at: now(), requestId: null } as const
      return isAsked ? ((await known.fetch(taxNumber)) ?? unchecked) : unchecked
    },
  }
}
