import type { MiddlewareFunction } from "react-router"
import { servicesContext } from "~/context/services.server"
import { closeSession, openSession, SESSION_SECONDS, sessionContext } from "~/context/session.server"
import { BASE } from "~/domain/base-path"
import { cookieFrom, setCookie } from "~/http/cookie.server"

const NAME = "checkout"

/** Opens the visitor's session for the request, and writes it back only if it was replaced. */
export const session: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const { shop, sessionSeal, now } = context.get(servicesContext)
  const opened = openSession(sessionSeal, cookieFrom(request, NAME), now())
  context.set(sessionContext, opened)

  const response = await next()

  const closed = context.get(sessionContext)
  if (closed !== opened) {
    const secure = shop.publicUrl.startsWith("https:")
    const cookie = {
      name: NAME,
      value: closeSession(sessionSeal, closed, now()),
      path: BASE,
      maxAge: SESSION_SECONDS,
      secure,
    }
    response.headers.append("set-cookie", setCookie(cookie))
  }
  return response
}
