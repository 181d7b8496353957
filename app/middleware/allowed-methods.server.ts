import type { MiddlewareFunction } from "react-router"
import { requestContext } from "~/context/request.server"

type Method = "GET" | "HEAD" | "POST"

/**
 * Answers other methods with 405 and an `Allow` header (RFC 9110, section 15.5.6). Of those that no URL of the shop has, the server
 * has made a GET request with a rejection.
 */
export function allowMethods(...allowed: readonly Method[]): MiddlewareFunction<Response> {
  const names: readonly string[] = allowed
  return ({ request, context }) => {
    const { rejection } = context.get(requestContext)
    if (rejection !== "method-not-allowed" && names.includes(request.method)) return
    // Returned: React Router renders an error page for one that is thrown, without its headers.
    return new Response(null, { status: 405, headers: { allow: names.join(", ") } })
  }
}
