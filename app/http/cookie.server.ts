import { parseCookie, stringifySetCookie } from "cookie"

/** One cookie of a request, or undefined. */
export function cookieFrom(request: Request, name: string): string | undefined {
  const header = request.headers.get("cookie")
  return header ? parseCookie(header)[name] : undefined
}

type OurCookie = { name: string; value: string; path: string; maxAge: number; secure: boolean }

/** A `Set-Cookie` value that scripts cannot read and other sites cannot send along; `maxAge` in seconds. */
export function setCookie({ name, value, path, maxAge, secure }: OurCookie): string {
  return stringifySetCookie({ name, value, path, maxAge, secure, httpOnly: true, sameSite: "lax" })
}
