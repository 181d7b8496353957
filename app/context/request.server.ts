import type { Logger } from "pino"
import { createContext } from "react-router"
import type { Instant } from "~/domain/calendar"

/** What the server knows of a request before any route does. */
export type RequestContext = {
  readonly id: string
  readonly at: Instant
  /** The client's address; null when it is not known. */
  readonly address: string | null
  /** Allows this page's own scripts and styles, and no others. */
  readonly nonce: string
  /** Writes lines that carry the request's id. */
  readonly log: Logger
  /** Why the server itself turned the request down, if it did: the page says so in words. */
  readonly refusal: RejectionReason | null
}

export type RejectionReason = "too-large" | "forbidden-origin"

export const requestContext = createContext<RequestContext>()

/** The pattern of the page that is asked for; null until the router has found it. */
export const routeContext = createContext<string | null>(null)
