import { type MiddlewareFunction, redirect } from "react-router"
import { choicesFrom, EntryLink, entryNames } from "~/domain/entry-link"
import { remember, sessionContext } from "~/session.server"

/**
 * A link into the shop fills in what it says, on whichever screen it leads to, and is then dropped from the
 * address: what was in it is the visitor's own from now on, and an e-mail has no place in a history or a log.
 */
export const entryChoices: MiddlewareFunction<Response> = ({ request, url, context }) => {
  if (request.method !== "GET" || !entryNames.some((name) => url.searchParams.has(name))) return
  const link = EntryLink.parse(Object.fromEntries(url.searchParams))
  const { choices } = context.get(sessionContext)
  // Another choice than the one that was taken to the review step has to go there again.
  remember(context, { choices: choicesFrom(link, choices), draft: null })
  throw redirect(withoutEntry(url), 303)
}

function withoutEntry({ pathname, searchParams }: URL): string {
  const rest = new URLSearchParams(searchParams)
  for (const name of entryNames) rest.delete(name)
  // Two slashes at the start would be another host.
  const path = pathname.replace(/^\/+/, "/")
  return rest.size > 0 ? `${path}?${rest}` : path
}
