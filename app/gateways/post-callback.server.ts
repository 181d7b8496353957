import { SECOND } from "~/domain/calendar"
import type { CallbackAnswer } from "~/domain/callback-test"
import { connectionProblem, INVALID_CERTIFICATE } from "~/http/connection-problem"
import { fetchUpstream } from "~/http/upstream-client.server"
import { UpstreamError } from "~/http/upstream-error"
import type { PostCallback } from "./gateway"

const TIMEOUT_MS = 10 * SECOND

/** Sends a callback as a provider does: see `PostCallback`. */
export const postCallback: PostCallback = async (url, { headers, body }) => {
  try {
    const request = { method: "POST", url: new URL(url), headers, body } as const
    const response = await fetchUpstream(request, AbortSignal.timeout(TIMEOUT_MS))
    await response.body?.cancel()
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

function answerOf({ status, headers }: Response, url: URL): CallbackAnswer {
  const isShop = REQUEST_ID.test(headers.get("x-request-id") ?? "")
  return { ...unanswered, status, isShop, location: locationIn(headers, url) }
}

function locationIn(headers: Headers, base: URL): string | null {
  const location = URL.parse(headers.get("location") ?? "", base)
  return headers.has("location") && location ? `${location.origin}${location.pathname}` : null
}
