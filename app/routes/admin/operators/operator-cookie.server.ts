import { CONSOLE_COOKIE, CONSOLE_PATH, consoleContext, DEVICE_COOKIE } from "~/context/console.server"
import { requestContext } from "~/context/request.server"
import type { RouteContext } from "~/context/route-context"
import { SECOND } from "~/domain/calendar"
import { DEVICE_PERIOD } from "~/flows/admin/operators/known-device.server"
import type { OperatorBrowser } from "~/flows/admin/operators/sign-in-operator.server"
import { cookieFrom, setCookie } from "~/http/cookie.server"

/** Longest name of a browser that is stored. */
const MAX_BROWSER = 200

/** `Set-Cookie` with the token of a new session, and with that by which the browser is known from now on. */
export function signedInCookies(
  context: RouteContext,
  { token, device }: { readonly token: string; readonly device: string },
): [string, string][] {
  const { longest } = context.get(consoleContext).console
  return [
    cookie(context, { name: CONSOLE_COOKIE, value: token, maxAge: longest / SECOND }),
    cookie(context, { name: DEVICE_COOKIE, value: device, maxAge: DEVICE_PERIOD / SECOND }),
  ]
}

/** `Set-Cookie` that removes the session. The browser stays known. */
export function signedOutCookie(context: RouteContext): [string, string][] {
  return [cookie(context, { name: CONSOLE_COOKIE, value: "", maxAge: 0 })]
}

type Value = { readonly name: string; readonly value: string; readonly maxAge: number }

function cookie(context: RouteContext, value: Value): [string, string] {
  const secure = context.get(consoleContext).shop.publicUrl.startsWith("https:")
  return ["set-cookie", setCookie({ ...value, path: CONSOLE_PATH, secure, sameSite: "strict" })]
}

/** Address and browser of a request, for the list of sessions, and whether it is known. */
export function browserOf(context: RouteContext, request: Request): OperatorBrowser {
  const { address } = context.get(requestContext)
  const browser = request.headers.get("user-agent")?.slice(0, MAX_BROWSER) ?? null
  return { address, browser, device: cookieFrom(request, DEVICE_COOKIE) ?? null }
}
