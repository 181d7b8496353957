import { redirect } from "react-router"
import type { OrderListItem } from "~/billing/orders/order-search"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { emailShownTo, findsByBeginning, mayDo, type OperatorRole } from "~/domain/operators/operator"
import { bulkOffers } from "~/flows/admin/bulk/start-bulk.server"
import { newFormKey } from "~/flows/admin/form-key.server"
import { timedPlaceText } from "~/flows/admin/keyset-pages.server"
import {
  type FindServices,
  findOrders,
  type OrderFilter,
  type OrderPage,
  searchOrders,
  totalIn,
} from "~/flows/admin/orders/find-orders.server"
import { type OrderQuery, orderFilterFields, orderQueryIn } from "~/flows/admin/orders/order-query.server"
import { isProven } from "~/flows/admin/run-operator-action.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { consoleHref } from "~/ui/admin/console-frame.server"
import { OrdersScreen, type TypedFilter } from "~/ui/admin/orders/orders-screen.server"
import { placeOfList } from "../list-address.server"
import type { Route } from "./+types/orders"

const PATH = "/admin/orders"
const PER_PAGE = 25

type Found = Pick<OrderPage, "orders" | "older" | "newer"> & { readonly cut: "cut" | "many" | null }

/** Orders by search or filter. One that is found alone is shown at once. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { services } = consoleRequest(context)
  const query = orderQueryIn((field) => url.searchParams.get(field) ?? "", services.shop.timeZone)
  const found = await find(context, url, query)
  const [only] = found.orders
  if (only && found.orders.length === 1 && sought(url) !== "")
    return redirect(`${PATH}/${encodeURIComponent(only.id)}`, 303)
  return orderList(context, url, { found, query })
}

function sought(url: URL): string {
  return (url.searchParams.get("q") ?? "").trim()
}

function find(context: RouteContext, url: URL, { filter }: OrderQuery): Promise<Found> {
  const { services, session } = consoleRequest(context)
  const finder = { orders: services.console.orders, now: services.console.machineNow }
  const text = sought(url)
  const total = totalIn(text)
  if (total !== null) return findPage(finder, url, { total })
  return text === "" ? findPage(finder, url, filter) : findNamed(finder, text, session.role)
}

async function findNamed(finder: FindServices, text: string, role: OperatorRole): Promise<Found> {
  const search = { limit: PER_PAGE, wholeEmails: !findsByBeginning(role) }
  const { orders, isCut } = await searchOrders(finder, text, search)
  return { orders, older: null, newer: null, cut: isCut ? "many" : null }
}

async function findPage(finder: FindServices, url: URL, filter: OrderFilter): Promise<Found> {
  const page = await findOrders(finder, filter, { size: PER_PAGE, ...placeOfList(url) })
  return { ...page, cut: page.isCut ? "cut" : null }
}

function orderList(
  context: RouteContext,
  url: URL,
  { found, query }: { found: Found; query: OrderQuery },
): Response {
  const { services, session } = consoleRequest(context)
  const { orders, older, newer, cut } = found
  const link = (way: "older" | "newer", place: OrderPage["older"]) =>
    place && addressOf(url, { [way]: timedPlaceText(place) })
  const isPaged = url.searchParams.has("older") || url.searchParams.has("newer")
  const exportForm = {
    formKey: newFormKey(services, session),
    isProven: isProven(session, services.now()),
    problem: null,
  }
  return consolePage(
    context,
    { title: t("orders.title"), path: PATH },
    <OrdersScreen
      typed={typedIn(url)}
      wholeEmails={!findsByBeginning(session.role)}
      orders={orders.map((it): OrderListItem => ({ ...it, email: emailShownTo(session.role, it.email) }))}
      links={{
        older: link("older", older),
        newer: link("newer", newer),
        newest: isPaged ? addressOf(url, {}) : null,
      }}
      cut={cut}
      invalid={query.invalid.map((field) => t(`orders.${field}`))}
      timeZone={services.shop.timeZone}
      exportForm={mayDo(session.role, "export-orders") ? exportForm : null}
      bulk={sought(url) === "" ? bulkOffers(services, session) : []}
    />,
  )
}

/** What was typed, as the form shows it again. An unknown status, kind, gateway or currency is none. */
function typedIn(url: URL): TypedFilter {
  const text = (name: string) => url.searchParams.get(name) ?? ""
  const { status, kind, gateway, currency } = orderQueryIn(text, "UTC").filter
  return {
    q: text("q"),
    status: status ?? "",
    kind: kind ?? "",
    tag: text("tag"),
    gateway: gateway ?? "",
    country: text("country"),
    currency: currency ?? "",
    promotion: text("promotion"),
    from: text("from"),
    to: text("to"),
    paidFrom: text("paidFrom"),
    paidTo: text("paidTo"),
  }
}

/** The same list at another place. */
function addressOf(url: URL, place: Record<string, string>): string {
  const params = new URLSearchParams()
  for (const name of ["q", ...orderFilterFields]) {
    const value = url.searchParams.get(name)
    if (value) params.set(name, value)
  }
  for (const [name, value] of Object.entries(place)) params.set(name, value)
  const query = params.toString()
  return consoleHref(query === "" ? PATH : `${PATH}?${query}`)
}
