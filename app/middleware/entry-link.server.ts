import type { MiddlewareFunction } from "react-router"
import { type EntryLink, entryLinkIn } from "~/domain/entry-link"
import { isApiPath } from "./request-kind.server"

type Visit = Parameters<MiddlewareFunction<Response>>[0]

/** Parsed entry-link parameters of a GET request for a page; null for forms, API paths, and URLs without any. */
export function entryLinkOf({ request, url }: Pick<Visit, "request" | "url">): EntryLink | null {
  return request.method === "GET" && !isApiPath(url) ? entryLinkIn(url.searchParams) : null
}
