import { href, redirect } from "react-router"
import type { PageHandle } from "~/document"
import { UpsellDraft } from "~/domain/upsell-form"
import { servicesInReach } from "~/flows/services-in-reach.server"
import { showUpsell } from "~/flows/show-upsell.server"
import { formOf } from "~/http/form.server"
import { neverStored } from "~/middleware/caching.server"
import { resellerUpsell } from "~/middleware/reseller-upsell.server"
import { servicesContext } from "~/services.server"
import { sessionContext } from "~/session.server"
import { UpsellScreen } from "~/ui/upsell-screen"
import type { Route } from "./+types/upsell"
import { orderUpsell } from "./order-upsell.server"

export const middleware: Route.MiddlewareFunction[] = [neverStored, resellerUpsell]
export const handle = { title: "title.upsell", public: false } satisfies PageHandle
export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders

export async function loader({ url, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const session = context.get(sessionContext)
  const { quantity, serviceid } = UpsellDraft.parse(Object.fromEntries(url.searchParams))
  const resellers = (await servicesInReach(services, session)).filter(({ kind }) => kind === "reseller")
  const wish = { serviceId: serviceid ?? session.serviceId, quantity: quantity ?? null }
  return { offer: await showUpsell(services, resellers, wish) }
}

export async function action({ request, ...args }: Route.ActionArgs) {
  const form = await formOf(request)
  if (form.get("intent") !== "upsell-update") return orderUpsell(form, args)
  const { quantity, serviceid } = UpsellDraft.parse(Object.fromEntries(form))
  if (serviceid)
    args.context.set(sessionContext, { ...args.context.get(sessionContext), serviceId: serviceid })
  throw redirect(`${href("/:locale?/upsell", args.params)}${quantity ? `?quantity=${quantity}` : ""}`, 303)
}

export default function Upsell({ loaderData, actionData }: Route.ComponentProps) {
  const { offer } = loaderData
  // A refused form comes back with what was chosen on it.
  const shown = offer && { ...offer, quantity: actionData?.wanted.quantity ?? offer.quantity }
  return <UpsellScreen offer={shown} problems={actionData?.problems ?? {}} />
}
