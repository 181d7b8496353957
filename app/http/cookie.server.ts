import { parseCookie, stringifySetCookie } from "cookie"

/** A request's cookie by name, or undefined. */
export function cookieFrom(request: Request, name: string): string | undefined {
  const header = request.headers.get("cookie")
  return header ? parseCookie(header)[name] : undefined
}

type ShopCookie = {
  name: string
  value: string
  path: string
  maxAge: number
  secure: boolean
  sameSite?: "lax" | "strict"
}

/** A `Set-Cookie` value with HttpOnly, and SameSite=Lax unless another is named; `maxAge` in seconds. */
export function setCookie({ name, value, path, maxAge, secure, sameSite = "lax" }: ShopCookie): string {
  return stringifySetCookie({ name, value, path, maxAge, secure, httpOnly: true, sameSite })
}
