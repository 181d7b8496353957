import { redirect } from "react-router"
import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { localeOfIntent } from "~/domain/forms/language-button"
import { UpsellDraft } from "~/domain/forms/upsell-form"
import { upsellPath } from "~/domain/orders/screen-paths"
import { queryText } from "~/domain/query-text"
import type { Service } from "~/domain/services/service"
import { accessibleServices } from "~/flows/services/accessible-services.server"
import { showUpsell } from "~/flows/services/show-upsell.server"
import { formOf } from "~/http/form.server"
import { noStore } from "~/middleware/cache-control.server"
import { resellerUpsell } from "~/middleware/orders/reseller-upsell.server"
import type { PageHandle } from "~/ssr/document"
import type { MenuForm } from "~/ui/layout/language-menu"
import { UpsellScreen } from "~/ui/upsell/upsell-screen"
import { changeLanguage } from "../change-language.server"
import { creditView } from "../order/credit-view.server"
import { screenHref } from "../screen-href.server"
import type { Route } from "./+types/upsell"
import { orderUpsell } from "./upsell-action.server"

export const middleware: Route.MiddlewareFunction[] = [noStore, resellerUpsell]
export const handle = { title: "title.upsell", public: false } satisfies PageHandle
export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders

export async function loader({ url, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const session = context.get(sessionContext)
  const { quantity, serviceid, gateway } = UpsellDraft.parse(Object.fromEntries(url.searchParams))
  const resellers = (await accessibleServices(services, session)).filter(({ kind }) => kind === "reseller")
  const locale = context.get(localeContext).code
  const request = { serviceId: serviceid ?? session.serviceId, quantity: quantity ?? null, gateway, locale }
  const offer = await showUpsell(services, resellers, request)
  return offer
    ? { offer: { ...offer, credit: await creditOf(context, resellers) }, form: upsellForm }
    : { offer, form: null }
}

/** A change of the language keeps what is chosen in it. */
const upsellForm: MenuForm = { paused: null, id: "upsell-order", intent: "upsell" }

/** Of the customer who has all of the services, in their one currency. */
async function creditOf(context: Route.LoaderArgs["context"], [first, ...others]: readonly Service[]) {
  const isOne = others.every(
    ({ customerId, currency }) => customerId === first?.customerId && currency === first.currency,
  )
  return first && isOne ? creditView(context, first) : undefined
}

export async function action(args: Route.ActionArgs) {
  const form = await formOf(args.request)
  const intent = form.get("intent")
  const locale = localeOfIntent(intent)
  if (locale === null && intent !== "upsell-update") return orderUpsell(form, args)
  const { context } = args
  const query = draftQuery(form, context)
  throw locale
    ? changeLanguage(context, locale, { path: upsellPath, query })
    : redirect(screenHref(context, upsellPath) + query, 303)
}

/** What is chosen in the address of the page; which service it is for is in no address. */
function draftQuery(form: FormData, context: Route.ActionArgs["context"]): string {
  const { quantity, serviceid, gateway } = UpsellDraft.parse(Object.fromEntries(form))
  if (serviceid) context.set(sessionContext, { ...context.get(sessionContext), serviceId: serviceid })
  return queryText(
    new URLSearchParams({ ...(quantity && { quantity: String(quantity) }), ...(gateway && { gateway }) }),
  )
}

export default function Upsell({ loaderData, actionData }: Route.ComponentProps) {
  return <UpsellScreen offer={loaderData.offer} lastResult={actionData?.lastResult} />
}
