import { SECOND } from "~/domain/calendar"
import type { CallbackAnswer } from "~/domain/payments/callback-test"
import { connectionProblem, INVALID_CERTIFICATE } from "~/http/connection-problem"
import { type ResponseHeaders, sendUpstream, type UpstreamResponse } from "~/http/upstream-client.server"
import { UpstreamError } from "~/http/upstream-error"
import type { PostCallback } from "./gateway"

const TIMEOUT_MS = 10 * SECOND

/** Sends a callback as a provider does: see `PostCallback`. */
export const postCallback: PostCallback = async (url, { headers, body }) => {
  try {
    const request = { method: "POST", url: new URL(url), headers, body } as const
    const response = await sendUpstream(request, AbortSignal.timeout(TIMEOUT_MS))
    response.body.destroy()
    return answerOf(response, request.url)
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    const problem = connectionProblem(error.cause)
    return { ...unanswered, problem, isCertificate: problem === INVALID_CERTIFICATE }
  }
}

const unanswered: CallbackAnswer = {
  status: null,
  isShop: false,
  location: null,
  problem: null,
  isCertificate: false,
}

/** Every response of the shop has the id of its request, which looks like this. */
const REQUEST_ID = /^[\w-]{12}$/

function answerOf({ status, headers }: UpstreamResponse, url: URL): CallbackAnswer {
  const isShop = REQUEST_ID.test(headers.get("x-request-id") ?? "")
  return { ...unanswered, status, isShop, location: locationIn(headers, url) }
}

function locationIn(headers: ResponseHeaders, base: URL): string | null {
  const named = headers.get("location")
  const location = named === null ? null : URL.parse(named, base)
  return location && `${location.origin}${location.pathname}`
}
