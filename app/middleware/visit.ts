import type { MiddlewareFunction } from "react-router"

/** The request that a middleware of the pages gets. */
export type Visit = Parameters<MiddlewareFunction<Response>>[0]
