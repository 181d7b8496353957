import {
  type KeysetPage,
  type TimedPlace,
  timedPlaceIn,
  timedPlaceText,
} from "~/flows/admin/keyset-pages.server"
import { consoleHref } from "~/ui/admin/console-frame.server"
import type { ListLinks } from "~/ui/admin/list-parts.server"

/** Place and direction of a page in the address of a list. */
export function placeOfList({ searchParams }: URL) {
  const newer = timedPlaceIn(searchParams.get("newer") ?? "")
  const beyond = newer ?? timedPlaceIn(searchParams.get("older") ?? "") ?? undefined
  return { beyond, newer: newer !== null }
}

type List = {
  readonly url: URL
  readonly path: string
  /** Names of the fields of the filter, which stay. */
  readonly fields: readonly string[]
}

/** Links from a page of a list to the others, with the same filter. */
export function linksOfList(list: List, page: Omit<KeysetPage<unknown, TimedPlace>, "rows">): ListLinks {
  const { searchParams } = list.url
  const link = (way: "older" | "newer") => {
    const place = page[way]
    return place && addressOf(list, { [way]: timedPlaceText(place) })
  }
  const isPaged = searchParams.has("older") || searchParams.has("newer")
  return { older: link("older"), newer: link("newer"), newest: isPaged ? addressOf(list, {}) : null }
}

/** The same list at another place. */
function addressOf({ url, path, fields }: List, place: Record<string, string>): string {
  const params = new URLSearchParams()
  for (const name of fields) {
    const value = url.searchParams.get(name)
    if (value) params.set(name, value)
  }
  for (const [name, value] of Object.entries(place)) params.set(name, value)
  const query = params.toString()
  return consoleHref(query === "" ? path : `${path}?${query}`)
}

type KeyPage = {
  /** The address of the list with its filter, such as "/admin/promotions?q=many". */
  readonly address: string
  /** Keys of the first and the last row. */
  readonly ends: readonly [first: string | undefined, last: string | undefined]
  readonly after?: string | undefined
  readonly before?: string | undefined
  /** There are more rows in the direction of reading. */
  readonly hasMore: boolean
}

/** Links between the pages of a list that begins with the smallest key. Where a page was read from there are others. */
export function linksByKey({ address, ends: [first, last], after, before, hasMore }: KeyPage): ListLinks {
  const separator = address.includes("?") ? "&" : "?"
  const link = (way: "after" | "before", key: string | undefined) =>
    key === undefined ? null : consoleHref(`${address}${separator}${way}=${encodeURIComponent(key)}`)
  const isBackwards = before !== undefined
  return {
    older: isBackwards || hasMore ? link("after", last) : null,
    newer: (isBackwards ? hasMore : after !== undefined) ? link("before", first) : null,
    newest: isBackwards || after !== undefined ? consoleHref(address) : null,
  }
}
