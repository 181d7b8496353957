import type { IncomingMessage, ServerResponse } from "node:http"

/** A request and what answers it, for whoever watches. */
export type WatchedRequest = {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  /** What is asked for, as one of a few names: never the address, of which there are as many as people care to type. */
  route: string
}

/** Is handed every request, and has it answered by calling `answer`. */
export type RequestInstrumentation = (request: WatchedRequest, answer: () => void) => void

/** Where nobody watches. */
export const noInstrumentation: RequestInstrumentation = (_request, answer) => answer()
