import type { AffiliateSpan } from "~/billing/affiliate-admin"
import type { ConsoleServices } from "~/context/services.server"
import { affiliateSpanIn } from "~/flows/admin/affiliate-figures.server"

type ShownSpan = {
  readonly span: AffiliateSpan
  /** The days of the address are none: the span is the usual one. */
  readonly isInvalid: boolean
  /** The days as the query of an address. */
  readonly query: string
}

/** The days of an address; the last 30 without them. */
export function spanOf({ shop, now }: ConsoleServices, { searchParams }: URL): ShownSpan {
  const place = { timeZone: shop.timeZone, now: now() }
  const days = { from: searchParams.get("from") ?? "", to: searchParams.get("to") ?? "" }
  const typed = affiliateSpanIn(days, place)
  const span = typed ?? affiliateSpanIn({}, place)
  if (!span) throw new Error("The last days are no span")
  const query = new URLSearchParams({ from: span.firstDay, to: span.lastDay }).toString()
  return { span, isInvalid: typed === null, query }
}
