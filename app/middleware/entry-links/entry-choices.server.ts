import { type MiddlewareFunction, redirect } from "react-router"
import { localeContext } from "~/context/locale.server"
import { sessionContext, updateSession } from "~/context/session.server"
import { BASE } from "~/domain/base-path"
import type { ProductKind } from "~/domain/catalogue/catalogue"
import { isSameSelection } from "~/domain/orders/choices"
import { choicesFrom, type EntryLink, entryNames } from "~/domain/orders/entry-link"
import { pathOf } from "~/domain/orders/screen-paths"
import { pathWithout } from "../redirect-to.server"
import type { Visit } from "../visit"
import { entryLinkOf } from "./entry-link.server"

/**
 * Copies the parameters of an entry link into the session and redirects to the URL without them, on any screen: an
 * e-mail must not stay in the browser's history or in a log.
 */
export const entryChoices: MiddlewareFunction<Response> = (visit) => {
  const link = entryLinkOf(visit)
  if (!link) return
  storeLink(visit, link)
  throw redirect(withoutEntry(visit.url), 303)
}

type Linked = Pick<Visit, "url" | "context">

/** Stores the parameters of an entry link in the session; twice is as once. */
export function storeLink(visit: Linked, link: EntryLink): void {
  const { context } = visit
  const { choices, draft, serviceId } = context.get(sessionContext)
  const chosen = choicesFrom(link, priceListOf(linkedPath(visit)), choices)
  // A changed selection invalidates the draft, which has to pass the review step again.
  updateSession(context, {
    choices: chosen,
    draft: isSameSelection(chosen, choices) ? draft : null,
    serviceId: link.serviceid ?? serviceId,
  })
}

/** The path of the page that a link leads to, without the prefix of its language. */
export function linkedPath({ url, context }: Linked): string {
  return url.pathname.slice(BASE.length + context.get(localeContext).prefix.length) || "/"
}

/** Links to the resellers' pages select reseller plans. */
function priceListOf(path: string): ProductKind {
  return path.startsWith(pathOf.reseller.checkout) ? "reseller" : "plan"
}

/** The URL's path and query without entry-link parameters. */
export function withoutEntry(url: URL): string {
  return pathWithout(url, entryNames)
}
