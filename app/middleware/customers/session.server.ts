import type { MiddlewareFunction } from "react-router"
import { servicesContext } from "~/context/services.server"
import { leadsToSomething, sessionContext, sessionStateContext } from "~/context/session.server"
import {
  decodeSession,
  encodeSession,
  SESSION_COOKIE,
  SESSION_SECONDS,
} from "~/context/session-cookie.server"
import { BASE } from "~/domain/base-path"
import { DAY, SECOND } from "~/domain/calendar"
import { cookieFrom, setCookie } from "~/http/cookie.server"

/** Retention of an ended session's row: a request in flight may have sealed the cookie a moment later. */
const REMEMBERED = SESSION_SECONDS * SECOND + 1 * DAY

/**
 * Opens the session cookie for the request, and writes it back only if the session was replaced. A session that is
 * replaced by one with another id is ended, so that copies of its cookie give no access. The 30 days are renewed only for
 * a session that is known not to have been ended.
 */
export const session: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const { shop, sessionSeal, sessions, newId, now } = context.get(servicesContext)
  const at = now()
  const opened = decodeSession(sessionSeal, cookieFrom(request, SESSION_COOKIE), at)
  context.set(sessionContext, opened)

  const response = await next()

  const closed = context.get(sessionContext)
  if (closed === opened) return response
  const state = context.get(sessionStateContext)
  const isLeft = closed.id !== opened.id && leadsToSomething(opened)
  if (opened.id !== null && isLeft && state !== "ended") await sessions.end(opened.id, now() + REMEMBERED)

  const isKnown = state !== "unknown" || !leadsToSomething(opened)
  const sealedAt = Math.max(isKnown ? at : opened.sealedAt, closed.sealedAt)
  const cookie = {
    name: SESSION_COOKIE,
    value: encodeSession(sessionSeal, { ...closed, id: closed.id ?? newId(), sealedAt }),
    path: BASE,
    maxAge: SESSION_SECONDS,
    secure: shop.publicUrl.startsWith("https:"),
  }
  response.headers.append("set-cookie", setCookie(cookie))
  return response
}
