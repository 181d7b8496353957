import type { RouterContextProvider } from "react-router"
import { CONSOLE_COOKIE, CONSOLE_PATH, consoleContext } from "~/context/console.server"
import { requestContext } from "~/context/request.server"
import { SECOND } from "~/domain/calendar"
import type { OperatorBrowser } from "~/flows/admin/operators/sign-in-operator.server"
import { setCookie } from "~/http/cookie.server"

type Context = Readonly<RouterContextProvider>

/** Longest name of a browser that is stored. */
const MAX_BROWSER = 200

/** `Set-Cookie` with the token of a new session; null removes the cookie. */
export function operatorCookie(context: Context, token: string | null): HeadersInit {
  const { console, shop } = context.get(consoleContext)
  const cookie = setCookie({
    name: CONSOLE_COOKIE,
    value: token ?? "",
    path: CONSOLE_PATH,
    maxAge: token === null ? 0 : console.longest / SECOND,
    secure: shop.publicUrl.startsWith("https:"),
    sameSite: "strict",
  })
  return { "set-cookie": cookie }
}

/** Address and browser of a request, for the list of sessions. */
export function browserOf(context: Context, request: Request): OperatorBrowser {
  const { address } = context.get(requestContext)
  const browser = request.headers.get("user-agent")?.slice(0, MAX_BROWSER) ?? null
  return { address, browser }
}
