import type { IncomingMessage, ServerResponse } from "node:http"

/** A request and its response, for instrumentation. */
export type InstrumentedRequest = {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  /** Route pattern, never the URL: label values must be few. */
  route: string
}

/** Called for every request; calls `next` to have it handled. */
export type RequestInstrumentation = (request: InstrumentedRequest, next: () => void) => void

/** Without metrics and tracing. */
export const noInstrumentation: RequestInstrumentation = (_request, next) => next()
