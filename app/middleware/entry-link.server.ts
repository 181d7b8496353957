import type { MiddlewareFunction } from "react-router"
import { type EntryLink, entryLinkIn } from "~/domain/entry-link"
import { isApiPath } from "./request-kind.server"

type Visit = Parameters<MiddlewareFunction<Response>>[0]

/** What the address of a page that is read says to us; null for forms, for programs, and for what says nothing. */
export function entryLinkOf({ request, url }: Pick<Visit, "request" | "url">): EntryLink | null {
  return request.method === "GET" && !isApiPath(url) ? entryLinkIn(url.searchParams) : null
}
