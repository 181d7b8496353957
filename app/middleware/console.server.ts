import { type MiddlewareFunction, redirect } from "react-router"
import {
  CONSOLE_COOKIE,
  CONSOLE_PATH,
  consoleContext,
  operatorContext,
  SENT_BEFORE,
  sentBeforeContext,
  UNSENT,
} from "~/context/console.server"
import { requestContext } from "~/context/request.server"
import { servicesContext } from "~/context/services.server"
import { BASE } from "~/domain/base-path"
import { operatorSession } from "~/flows/admin/operators/sign-in-operator.server"
import { cookieFrom } from "~/http/cookie.server"

/** The console is 404 until an operator exists, and from addresses that `ADMIN_ALLOW` does not name. */
export const consoleExists: MiddlewareFunction<Response> = async ({ context }) => {
  const services = context.get(servicesContext)
  const { address } = context.get(requestContext)
  const { console } = services
  if (!console?.isAllowed(address) || !(await console.operators.exist()))
    throw new Response(null, { status: 404 })
  context.set(consoleContext, { ...services, console })
}

/** Everything but the sign-in needs an operator's session. */
export const operatorSignedIn: MiddlewareFunction<Response> = async ({ request, url, context }) => {
  const token = cookieFrom(request, CONSOLE_COOKIE)
  const isUse = !request.headers.has("x-live-update")
  const session =
    token === undefined ? null : await operatorSession(context.get(consoleContext), { token, isUse })
  if (!session) throw redirect(signInFor(url, request.method === "POST"), 303)
  context.set(operatorContext, session)
}

/** A page says that the form which has led to it had acted before. The answer to a form of this page is about that form. */
export const formSentBefore: MiddlewareFunction<Response> = ({ request, url, context }) => {
  context.set(sentBeforeContext, request.method === "GET" && url.searchParams.has(SENT_BEFORE))
}

/**
 * The sign-in, which leads back to the page that was asked for. Without its query, in which an e-mail may have been searched for.
 * `isForm`: it says that the form was not done.
 */
function signInFor({ pathname }: URL, isForm: boolean): string {
  const page = pathname.slice(BASE.length)
  const signIn = `${CONSOLE_PATH}/sign-in`
  if (page === "/admin/sign-out") return signIn
  const query = new URLSearchParams({
    ...(page !== "/admin" && { to: page }),
    ...(isForm && { [UNSENT]: "" }),
  })
  return query.size === 0 ? signIn : `${signIn}?${query}`
}
