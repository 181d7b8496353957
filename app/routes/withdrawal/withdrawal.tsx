import { data, redirect } from "react-router"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { sessionContext, updateSession } from "~/context/session.server"
import { NamedOrder } from "~/domain/forms/withdrawal-form"
import { withdrawalPath } from "~/domain/orders/screen-paths"
import { offersWithdrawal } from "~/domain/shop/country-law"
import { searchWithdrawal, withdraw, withdrawalOf } from "~/flows/services/withdraw-order.server"
import { formOf, textIn } from "~/http/form.server"
import { retryAfter } from "~/http/retry-after.server"
import { submitted } from "~/http/submitted-form.server"
import { noStore } from "~/middleware/cache-control.server"
import { rateLimitSubject } from "~/middleware/rate-limit-subject.server"
import type { PageHandle } from "~/ssr/document"
import { WithdrawalScreen } from "~/ui/withdrawal/withdrawal-screen"
import { screenHref } from "../screen-href.server"
import type { Route } from "./+types/withdrawal"
import { askView, foundView } from "./withdrawal-view.server"

export const middleware: Route.MiddlewareFunction[] = [noStore]
export const handle = { title: "frame.withdrawal", public: false } satisfies PageHandle
export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders

/** Asks for an order until one is found; then shows how far the withdrawal from it is. */
export async function loader({ url, context }: Route.LoaderArgs) {
  checkOffered(context)
  const asked = url.searchParams.get("order")
  const found = await foundBefore(context, asked)
  if (found && found.kind !== "over") return { view: foundView(context, found) }
  const { customer } = context.get(sessionContext)
  const typed = { order: asked ?? "", email: customer?.email ?? "" }
  return { view: askView(context, typed, found) }
}

/** The withdrawal from the order that this browser has found; null if the page is opened for another one. */
async function foundBefore(context: RouteContext, asked: string | null) {
  const services = context.get(servicesContext)
  const { withdrawalOf: orderId } = context.get(sessionContext)
  if (orderId === undefined || (asked !== null && asked !== orderId)) return null
  const order = await services.billing.order(orderId)
  return order && withdrawalOf(services, order)
}

/** The first form finds an order, the second one withdraws from the order that was found. */
export async function action({ request, context }: Route.ActionArgs) {
  checkOffered(context)
  const form = await formOf(request)
  if (form.get("intent") === "withdraw") {
    const { withdrawalOf: orderId } = context.get(sessionContext)
    // Another tab may have found another order since this page was opened.
    if (orderId !== undefined && form.get("order") === orderId)
      await withdraw(context.get(servicesContext), orderId)
    throw redirect(screenHref(context, withdrawalPath), 303)
  }
  const search = await searchTyped(context, form)
  if (search.kind === "open" || search.kind === "withdrawn") {
    updateSession(context, { withdrawalOf: search.order.id })
    throw redirect(screenHref(context, withdrawalPath), 303)
  }
  const wait = search.kind === "too-many" ? search.retryAfterSeconds : 0
  const view = askView(context, { order: textIn(form, "order"), email: textIn(form, "email") }, search)
  return data({ view }, { status: wait > 0 ? 429 : 422, headers: retryAfter(wait) })
}

async function searchTyped(context: RouteContext, form: FormData) {
  const submission = submitted(form, NamedOrder)
  if (submission.status !== "success") return { kind: "unknown" } as const
  return searchWithdrawal(context.get(servicesContext), submission.value, rateLimitSubject(context))
}

/** Nothing about withdrawals is shown by a shop that has none. */
function checkOffered(context: RouteContext): void {
  if (!offersWithdrawal(context.get(servicesContext).shop.legal.law))
    throw data({ kind: "not-found" }, { status: 404 })
}

export default function WithdrawalPage({ loaderData, actionData }: Route.ComponentProps) {
  return <WithdrawalScreen view={actionData?.view ?? loaderData.view} />
}
