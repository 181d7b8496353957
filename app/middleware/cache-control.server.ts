import type { MiddlewareFunction } from "react-router"

/** Pages are made for one visitor: nobody else may keep them, and a browser asks before it shows one again. */
export const privateNoCache: MiddlewareFunction<Response> = async (_, next) => {
  const response = await next()
  if (!response.headers.has("cache-control")) response.headers.set("cache-control", "private, no-cache")
  return response
}

/** Pages about an order, and everything with credentials, are kept nowhere. */
export const noStore: MiddlewareFunction<Response> = async (_, next) => {
  const response = await next()
  response.headers.set("cache-control", "private, no-store")
  return response
}
