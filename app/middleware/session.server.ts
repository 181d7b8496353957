import type { MiddlewareFunction } from "react-router"
import { servicesContext } from "~/context/services.server"
import { leadsToSomething, sessionContext, sessionStandingContext } from "~/context/session.server"
import { decodeSession, encodeSession, SESSION_SECONDS } from "~/context/session-cookie.server"
import { BASE } from "~/domain/base-path"
import { DAY, SECOND } from "~/domain/calendar"
import { cookieFrom, setCookie } from "~/http/cookie.server"

const NAME = "checkout"

/** How long an ended session is remembered: a request that was under way may have sealed it a moment later. */
const REMEMBERED = SESSION_SECONDS * SECOND + 1 * DAY

/**
 * Opens the visitor's session for the request, and writes it back only if it was replaced. One that has been left for
 * another is ended, so that a copy of its cookie leads to nothing. Only what is known not to have been ended gets its
 * thirty days anew.
 */
export const session: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const { shop, sessionSeal, sessions, newId, now } = context.get(servicesContext)
  const at = now()
  const opened = decodeSession(sessionSeal, cookieFrom(request, NAME), at)
  context.set(sessionContext, opened)

  const response = await next()

  const closed = context.get(sessionContext)
  if (closed === opened) return response
  const standing = context.get(sessionStandingContext)
  const isLeft = closed.id !== opened.id && leadsToSomething(opened)
  if (opened.id !== null && isLeft && standing !== "ended") await sessions.end(opened.id, now() + REMEMBERED)

  const isKnown = standing !== "unknown" || !leadsToSomething(opened)
  const sealedAt = Math.max(isKnown ? at : opened.sealedAt, closed.sealedAt)
  const cookie = {
    name: NAME,
    value: encodeSession(sessionSeal, { ...closed, id: closed.id ?? newId(), sealedAt }),
    path: BASE,
    maxAge: SESSION_SECONDS,
    secure: shop.publicUrl.startsWith("https:"),
  }
  response.headers.append("set-cookie", setCookie(cookie))
  return response
}
