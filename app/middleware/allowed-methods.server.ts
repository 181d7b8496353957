import type { MiddlewareFunction } from "react-router"

type Method = "GET" | "HEAD" | "POST"

/**
 * Answers other methods with 405 and an `Allow` header (RFC 9110, section 15.5.6), on URLs without a screen. React Router
 * itself passes PUT, PATCH and DELETE to the same action as POST.
 */
export function allowMethods(...allowed: readonly Method[]): MiddlewareFunction<Response> {
  const names: readonly string[] = allowed
  return ({ request }) => {
    if (names.includes(request.method)) return
    throw new Response(null, { status: 405, headers: { allow: names.join(", ") } })
  }
}
