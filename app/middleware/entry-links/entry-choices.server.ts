import { type MiddlewareFunction, redirect } from "react-router"
import { localeContext } from "~/context/locale.server"
import { sessionContext, updateSession } from "~/context/session.server"
import { BASE } from "~/domain/base-path"
import type { ProductKind } from "~/domain/catalogue"
import { isSameSelection } from "~/domain/choices"
import { choicesFrom, entryNames } from "~/domain/entry-link"
import type { Locale } from "~/domain/locales"
import { pathOf } from "~/domain/screen-paths"
import { ownPath } from "../redirect-to.server"
import { entryLinkOf } from "./entry-link.server"

/**
 * Copies the parameters of an entry link into the session and redirects to the URL without them, on any screen: an
 * e-mail must not stay in the browser's history or in a log.
 */
export const entryChoices: MiddlewareFunction<Response> = (visit) => {
  const { url, context } = visit
  const link = entryLinkOf(visit)
  if (!link) return
  const { choices, draft, serviceId } = context.get(sessionContext)
  const chosen = choicesFrom(link, priceListOf(url, context.get(localeContext)), choices)
  // A changed selection invalidates the draft, which has to pass the review step again.
  updateSession(context, {
    choices: chosen,
    draft: isSameSelection(chosen, choices) ? draft : null,
    serviceId: link.serviceid ?? serviceId,
  })
  throw redirect(withoutEntry(url), 303)
}

/** Links to the resellers' pages select reseller plans. */
function priceListOf({ pathname }: URL, { prefix }: Locale): ProductKind {
  const path = pathname.slice(BASE.length + prefix.length)
  return path.startsWith(pathOf.reseller.checkout) ? "reseller" : "plan"
}

/** The URL's path and query without entry-link parameters. */
export function withoutEntry(url: URL): string {
  const rest = new URLSearchParams(url.searchParams)
  for (const name of entryNames) rest.delete(name)
  const path = ownPath(url)
  // Keeps "?edit" without an equals sign.
  return rest.size > 0 ? `${path}?${rest.toString().replace(/=(?=&|$)/g, "")}` : path
}
