import type { MiddlewareFunction } from "react-router"
import { type EntryLink, entryLinkIn } from "~/domain/entry-link"

type Visit = Parameters<MiddlewareFunction<Response>>[0]

/** What the address of a page that is read says to us; null for forms, and for addresses that say nothing. */
export function entryLinkOf({ request, url }: Pick<Visit, "request" | "url">): EntryLink | null {
  return request.method === "GET" ? entryLinkIn(url.searchParams) : null
}
