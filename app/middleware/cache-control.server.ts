import type { MiddlewareFunction } from "react-router"

/**
 * Pages are made for one visitor: shared caches must not store them, and browsers revalidate them. Going back they do not, unless
 * the session has changed: the checkout of before an order must not come back after it.
 */
export const privateNoCache: MiddlewareFunction<Response> = async (_, next) => {
  const response = await next()
  const { headers } = response
  if (headers.has("cache-control")) return response
  headers.set("cache-control", "private, no-cache")
  if (!headers.has("vary")) headers.set("vary", "cookie")
  return response
}

/** Pages about an order or with credentials are stored in no cache. */
export const noStore: MiddlewareFunction<Response> = async (_, next) => {
  const response = await next()
  response.headers.set("cache-control", "private, no-store")
  return response
}
