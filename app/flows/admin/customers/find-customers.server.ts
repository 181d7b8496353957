import {
  type CustomerAdmin,
  type CustomerListItem,
  type CustomerPosition,
  customerNameKinds,
} from "~/billing/customers/customer-admin"
import type { Instant } from "~/domain/calendar"
import {
  type KeysetList,
  type KeysetPage,
  type PageRequest,
  readAll,
  readPage,
  SEARCH_LIMIT,
} from "../keyset-pages.server"
import type { NameSearch } from "../name-search"

export type CustomerPage = KeysetPage<CustomerListItem, CustomerPosition>

/** `now`: the machine's clock, which measures how long a search takes. */
export type FindCustomersServices = {
  readonly customers: Pick<CustomerAdmin, "customers" | "customersNamed">
  readonly now: () => Instant
}

/** A page of customers, the newest first. */
export function listCustomers(
  { customers, now }: FindCustomersServices,
  request: PageRequest<CustomerPosition>,
): Promise<CustomerPage> {
  return readPage(listOf(customers), request, now)
}

/** All customers, the newest first, in batches. */
export function allCustomers({
  customers,
}: Pick<FindCustomersServices, "customers">): AsyncGenerator<CustomerListItem> {
  return readAll(listOf(customers))
}

type Placed = CustomerListItem & CustomerPosition

function listOf(customers: FindCustomersServices["customers"]): KeysetList<Placed, CustomerPosition> {
  return {
    read: async (range) => (await customers.customers(range)).map((it) => ({ ...it, at: it.createdAt })),
    placeOf: ({ at, id }) => ({ at, id }),
  }
}

export type NamedCustomers = {
  /** Newest first. */
  readonly customers: readonly CustomerListItem[]
  /** There are more, or the time ran out: a longer text finds fewer. */
  readonly isCut: boolean
}

/** Shorter texts are the beginning of too many e-mails. */
const MIN_LENGTH = 3

/** Customers by present or former e-mail or username (each also by its beginning), or by the number of an order. */
export async function searchCustomers(
  { customers, now }: FindCustomersServices,
  text: string,
  { limit, wholeEmails }: NameSearch,
): Promise<NamedCustomers> {
  const until = now() + SEARCH_LIMIT
  const sought = text.trim()
  const byId = new Map<string, CustomerListItem>()
  let isCut = false
  for (const kind of sought.length < MIN_LENGTH ? [] : customerNameKinds) {
    if (now() >= until) {
      isCut = true
      break
    }
    const named = await customers.customersNamed({
      kind,
      text: sought,
      isWhole: wholeEmails,
      limit: limit + 1,
    })
    isCut ||= named.length > limit
    for (const customer of named) byId.set(customer.id, customer)
  }
  const all = [...byId.values()].toSorted((one, other) => other.createdAt - one.createdAt)
  return { customers: all.slice(0, limit), isCut: isCut || all.length > limit }
}
