import { z } from "zod"
import type { NumberAnswer } from "~/domain/customers/business"
import { jsonClient } from "~/http/json-client.server"
import { UpstreamError } from "~/http/upstream-error"

type Vies = {
  /** Base URL of the service: `https://ec.europa.eu/taxation_customs/vies/rest-api`. */
  readonly url: string
  readonly timeoutMs: number
  /** The seller's own number, with its prefix: only a request that names it gets an identifier. Null: none in the Union.
   * Asked for each time, since the operator may change it. */
  readonly requester: () => Promise<string | null>
}

/** What the service says of a number. */
export type ViesAnswer = {
  readonly result: Extract<NumberAnswer, "valid" | "invalid">
  readonly requestId: string | null
}

/**
 * `valid` is false also where the member state has not answered: then `userError` says so. Errors come with status 200 too, as
 * `actionSucceed: false`.
 */
const Answer = z.object({
  valid: z.boolean().optional(),
  userError: z.string().nullish(),
  requestIdentifier: z.string().max(64).nullish(),
  actionSucceed: z.boolean().optional(),
  errorWrappers: z.array(z.object({ error: z.string() })).optional(),
})

/** What `userError` is for an answer that is final. */
const answers = ["VALID", "INVALID"]

/** The number as the service wants it: Greece is EL, and everything else the country's code. */
function split(taxNumber: string): { code: string; number: string } {
  return { code: taxNumber.slice(0, 2), number: taxNumber.slice(2) }
}

/**
 * Asks the European Commission's VAT Information Exchange System whether a number of a member state exists (`POST
 * /check-vat-number` of its REST API). Throws `UpstreamError` for everything that is no result: the service, or the member
 * state's, is often unavailable. Sent once.
 */
export function viesCheck({ url, timeoutMs, requester }: Vies): (taxNumber: string) => Promise<ViesAnswer> {
  const client = jsonClient({ url, timeoutMs, retryDelaysMs: [] })
  return async (taxNumber) => {
    const { code, number } = split(taxNumber)
    const requesting = await requester()
    const own = requesting === null ? null : split(requesting)
    const body = {
      countryCode: code,
      vatNumber: number,
      ...(own && { requesterMemberStateCode: own.code, requesterNumber: own.number }),
    }
    return answerIn(await client.post("check-vat-number", { body, as: Answer }))
  }
}

function answerIn(response: z.output<typeof Answer>): ViesAnswer {
  const { valid, requestIdentifier, actionSucceed } = response
  const reason = reasonIn(response)
  if (valid === undefined || actionSucceed === false || reason !== null)
    throw new UpstreamError("unavailable", `VIES has not answered: ${reason ?? "no result"}`)
  return { result: valid ? "valid" : "invalid", requestId: requestIdentifier || null }
}

/** Why there is no final answer; null: there is one. */
function reasonIn({ errorWrappers, userError }: z.output<typeof Answer>): string | null {
  const reason = errorWrappers?.[0]?.error ?? userError ?? null
  return reason !== null && answers.includes(reason) ? null : reason
}
