import {
  type OrderKey,
  type OrderListItem,
  type OrderPosition,
  type OrderSearch,
  type OrderTime,
  orderNameKinds,
} from "~/billing/orders/order-search"
import type { Instant } from "~/domain/calendar"
import type { Country } from "~/domain/customers/country"
import { emailIn } from "~/domain/customers/email"
import type { Currency } from "~/domain/money/money"
import { typedMinor } from "~/domain/money/typed-amount"
import type { OrderKind } from "~/domain/orders/order"
import {
  type KeysetList,
  type KeysetPage,
  type PageRequest,
  readAll,
  readPage,
  SEARCH_LIMIT,
} from "../keyset-pages.server"
import type { NameSearch } from "../name-search"

/** All conditions apply. `promoCode`: in any spelling. */
export type OrderFilter = OrderKey & {
  readonly country?: Country | undefined
  readonly kind?: OrderKind | undefined
  readonly currency?: Currency | undefined
  /** Placed at this time or later, and before `until`. */
  readonly from?: Instant | undefined
  readonly until?: Instant | undefined
  /** Paid in full at this time or later, and before `paidUntil`. */
  readonly paidFrom?: Instant | undefined
  readonly paidUntil?: Instant | undefined
}

export type OrderPageRequest = PageRequest<OrderPosition>

export type OrderPage = Omit<KeysetPage<OrderListItem, OrderPosition>, "rows"> & {
  /** Newest first. */
  readonly orders: readonly OrderListItem[]
}

/** `now`: the machine's clock, which measures how long a search takes. */
export type FindServices = { readonly orders: OrderSearch; readonly now: () => Instant }

/** A page of orders by filter. One condition is looked up by its index, the others are checked order by order. */
export async function findOrders(
  { orders, now }: FindServices,
  filter: OrderFilter,
  request: OrderPageRequest,
): Promise<OrderPage> {
  const { rows, ...page } = await readPage(listOf(orders, filter), request, now)
  return { orders: rows, ...page }
}

type PlacedItem = OrderListItem & OrderPosition

function listOf(orders: OrderSearch, filter: OrderFilter): KeysetList<PlacedItem, OrderPosition> {
  const { key, by } = indexOf(filter)
  const { from, until } = by === "paid" ? paidIn(filter) : filter
  return {
    async read(range) {
      const rows = await orders.orders({ ...key, ...range, by, from, until })
      return rows.map((it) => ({ ...it, at: (by === "paid" ? it.paidAt : it.placedAt) ?? 0 }))
    },
    matches: hasMore(filter, { key, by }) ? matches({ ...filter, total: unread(filter, key) }) : undefined,
    placeOf: ({ at, id }) => ({ at, id }),
  }
}

/** An amount that the index has not led to. By it orders are found by their payments, too. */
const unread = ({ total }: OrderFilter, key: OrderKey) => (key.total === undefined ? total : undefined)

type Index = { readonly key: OrderKey; readonly by: OrderTime }

/** The condition that fewest orders are likely to meet. Most orders are active. */
function indexOf(filter: OrderFilter): Index {
  const { tag, total, promoCode, status, gateway } = filter
  const placed = (key: OrderKey) => ({ key, by: "placed" }) as const
  if (tag !== undefined) return placed({ tag })
  if (total !== undefined) return placed({ total })
  if (promoCode !== undefined) return placed({ promoCode })
  if (status !== undefined && status !== "active") return placed({ status })
  if (isPaidAsked(filter)) return { key: {}, by: "paid" }
  return placed(gateway === undefined ? { status } : { gateway })
}

function isPaidAsked({ paidFrom, paidUntil }: OrderFilter): boolean {
  return paidFrom !== undefined || paidUntil !== undefined
}

/** The period in which orders were paid, as the range of a list by payment. */
const paidIn = ({ paidFrom, paidUntil }: OrderFilter) => ({ from: paidFrom, until: paidUntil })

/** Whether there are conditions besides the index. */
function hasMore(filter: OrderFilter, { key, by }: Index): boolean {
  const { from, until, paidFrom, paidUntil, ...conditions } = filter
  const unread = by === "paid" ? [from, until] : [paidFrom, paidUntil]
  const isAsked = (condition: unknown) => condition !== undefined
  const asked = [...Object.values(conditions), ...unread].filter(isAsked)
  return asked.length > Object.values(key).filter(isAsked).length
}

/** The orders of a tag are read by its index: tags are not checked here. */
function matches({ promoCode, from, until, ...filter }: OrderFilter) {
  const code = promoCode?.trim().toUpperCase()
  const paid = paidIn(filter)
  return (order: OrderListItem): boolean =>
    isOrAny(order.total.minor, filter.total) &&
    isOrAny(order.promoCode?.toUpperCase(), code) &&
    isOrAny(order.status, filter.status) &&
    isOrAny(order.gateway, filter.gateway) &&
    isOrAny(order.country, filter.country) &&
    isOrAny(order.kind, filter.kind) &&
    isOrAny(order.total.currency, filter.currency) &&
    isIn(order.placedAt, { from, until }) &&
    isIn(order.paidAt, paid)
}

type Period = { readonly from: Instant | undefined; readonly until: Instant | undefined }

/** Without a period any time is in it, also none. */
function isIn(at: Instant | null, { from, until }: Period): boolean {
  if (from === undefined && until === undefined) return true
  return at !== null && at >= (from ?? at) && (until === undefined || at < until)
}

function isOrAny<T>(value: T, wanted: T | undefined): boolean {
  return wanted === undefined || value === wanted
}

/** All orders of a filter, newest first, in batches: for a file. */
export function allOrders({ orders }: FindServices, filter: OrderFilter): AsyncGenerator<OrderListItem> {
  return readAll(listOf(orders, filter))
}

export type NamedOrders = {
  /** Newest first. */
  readonly orders: readonly OrderListItem[]
  /** There are more, or the time ran out: a longer text finds fewer. */
  readonly isCut: boolean
}

/** Shorter texts are the beginning of too many e-mails. */
const MIN_LENGTH = 3

/**
 * Orders by number, invoice or credit note, the provider's payment id, the address of a device, or the beginning of a number, a present or
 * former e-mail of the customer, a username, or an address or transaction of a coin.
 */
export async function searchOrders(
  { orders, now }: FindServices,
  text: string,
  { limit, wholeEmails }: NameSearch,
): Promise<NamedOrders> {
  const until = now() + SEARCH_LIMIT
  const sought = soughtIn(text)
  const byId = new Map<string, OrderListItem>()
  let isCut = false
  for (const kind of sought.length < MIN_LENGTH ? [] : orderNameKinds) {
    if (now() >= until) return { orders: newestFirst(byId), isCut: true }
    const named = await orders.ordersNamed({ kind, text: sought, isWhole: wholeEmails, limit: limit + 1 })
    isCut ||= named.length > limit
    for (const order of named) byId.set(order.id, order)
  }
  const all = newestFirst(byId)
  return { orders: all.slice(0, limit), isCut: isCut || all.length > limit }
}

function soughtIn(text: string): string {
  return emailIn(text) ?? text.trim()
}

function newestFirst(orders: ReadonlyMap<string, OrderListItem>): OrderListItem[] {
  return [...orders.values()].toSorted((one, other) => other.placedAt - one.placedAt)
}

const CENTS_OR_CURRENCY = /[.,]\d\d\b|[€£$]|EUR|GBP|USD/i

/**
 * Total in minor units if a text is an amount: "98.90", "€98,90", "98 EUR". Digits without cents and currency are none: they may be
 * the beginning of a number, or an amount that was not typed to its end. Null if a text is none.
 */
export function totalIn(text: string): number | null {
  return CENTS_OR_CURRENCY.test(text) ? typedMinor(text) : null
}
