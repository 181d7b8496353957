import type { MiddlewareFunction } from "react-router"

/** Pages are made for one visitor: shared caches must not store them, and browsers revalidate them. */
export const privateNoCache: MiddlewareFunction<Response> = async (_, next) => {
  const response = await next()
  if (!response.headers.has("cache-control")) response.headers.set("cache-control", "private, no-cache")
  return response
}

/** Pages about an order or with credentials are stored in no cache. */
export const noStore: MiddlewareFunction<Response> = async (_, next) => {
  const response = await next()
  response.headers.set("cache-control", "private, no-store")
  return response
}
