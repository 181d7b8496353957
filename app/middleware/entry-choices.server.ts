import { type MiddlewareFunction, redirect } from "react-router"
import { localeContext } from "~/context/locale.server"
import { sessionContext, updateSession } from "~/context/session.server"
import { BASE } from "~/domain/base-path"
import type { ProductKind } from "~/domain/catalogue"
import { choicesFrom, entryNames } from "~/domain/entry-link"
import type { Locale } from "~/domain/locales"
import { pathOf } from "~/domain/screen-paths"
import { entryLinkOf } from "./entry-link.server"

/**
 * A link into the shop fills in what it says, on whichever screen it leads to, and is then dropped from the
 * address: what was in it is the visitor's own from now on, and an e-mail has no place in a history or a log.
 */
export const entryChoices: MiddlewareFunction<Response> = (visit) => {
  const { url, context } = visit
  const link = entryLinkOf(visit)
  if (!link) return
  const { choices, draft, serviceId } = context.get(sessionContext)
  const chosen = choicesFrom(link, priceListOf(url, context.get(localeContext)), choices)
  // Another choice than the one that was taken to the review step has to go there again.
  const same = JSON.stringify(chosen) === JSON.stringify(choices)
  updateSession(context, {
    choices: chosen,
    draft: same ? draft : null,
    serviceId: link.serviceid ?? serviceId,
  })
  throw redirect(withoutEntry(url), 303)
}

/** A link to the resellers' pages is about their plans. */
function priceListOf({ pathname }: URL, { prefix }: Locale): ProductKind {
  const path = pathname.slice(BASE.length + prefix.length)
  return path.startsWith(pathOf.reseller.checkout) ? "reseller" : "plan"
}

/** An address without what a link said in it. */
export function withoutEntry({ pathname, searchParams }: URL): string {
  const rest = new URLSearchParams(searchParams)
  for (const name of entryNames) rest.delete(name)
  // Two slashes at the start would be another host.
  const path = pathname.replace(/^\/+/, "/")
  // "?edit" is said without a value, and stays so.
  return rest.size > 0 ? `${path}?${rest.toString().replace(/=(?=&|$)/g, "")}` : path
}
