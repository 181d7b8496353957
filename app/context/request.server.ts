import type { Logger } from "pino"
import { createContext } from "react-router"
import type { Instant } from "~/domain/calendar"

/** Request data that the server determines before routing. */
export type RequestContext = {
  readonly id: string
  readonly at: Instant
  /** The client's IP address; null if unknown. */
  readonly address: string | null
  /** CSP nonce of this page's scripts and styles. */
  readonly nonce: string
  /** Logger whose lines carry the request's id. */
  readonly log: Logger
  /** Why the server rejected the request; null if it did not. The page shows the reason. */
  readonly rejection: RejectionReason | null
}

export type RejectionReason = "method-not-allowed" | "too-large" | "forbidden-origin"

export const requestContext = createContext<RequestContext>()

/** The form comes from what names itself as a bot. */
export const botContext = createContext(false)

/** Pattern of the matched route; null before routing. */
export const routeContext = createContext<string | null>(null)
