import { parseCookie, stringifySetCookie } from "cookie"

/** A request's cookie by name, or undefined. */
export function cookieFrom(request: Request, name: string): string | undefined {
  const header = request.headers.get("cookie")
  return header ? parseCookie(header)[name] : undefined
}

type ShopCookie = { name: string; value: string; path: string; maxAge: number; secure: boolean }

/** A `Set-Cookie` value with HttpOnly and SameSite=Lax; `maxAge` in seconds. */
export function setCookie({ name, value, path, maxAge, secure }: ShopCookie): string {
  return stringifySetCookie({ name, value, path, maxAge, secure, httpOnly: true, sameSite: "lax" })
}
