import { type EntryLink, entryLinkIn } from "~/domain/orders/entry-link"
import type { Visit } from "../visit"

/** Parsed entry-link parameters of a GET request; null for forms, and for URLs without any. */
export function entryLinkOf({ request, url }: Pick<Visit, "request" | "url">): EntryLink | null {
  return request.method === "GET" ? entryLinkIn(url.searchParams) : null
}
