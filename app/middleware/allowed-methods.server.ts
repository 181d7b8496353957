import type { MiddlewareFunction } from "react-router"

type Method = "GET" | "HEAD" | "POST"

/**
 * For an address that only programs use: any other method answers 405 and says which are allowed (RFC 9110, section
 * 15.5.6). React Router itself hands PUT, PATCH and DELETE to the same action as POST.
 */
export function allowMethods(...allowed: readonly Method[]): MiddlewareFunction<Response> {
  const names: readonly string[] = allowed
  return ({ request }) => {
    if (names.includes(request.method)) return
    throw new Response(null, { status: 405, headers: { allow: names.join(", ") } })
  }
}
