import type { IncomingMessage, ServerResponse } from "node:http"

/** A request and its response, for instrumentation. */
export type InstrumentedRequest = {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  /** Route pattern, never the URL: label values must be few. */
  route: string
}

/** Called for every request; calls `answer` to have it answered. */
export type RequestInstrumentation = (request: InstrumentedRequest, answer: () => void) => void

/** Without metrics and tracing. */
export const noInstrumentation: RequestInstrumentation = (_request, answer) => answer()
