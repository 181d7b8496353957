import { data, redirect } from "react-router"
import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { RenewalDraft } from "~/domain/forms/renewal-form"
import { localPath } from "~/domain/locales"
import { ownServicesPath, pathOf, RENEWAL_TOKEN, renewalLinkPath } from "~/domain/orders/screen-paths"
import type { Service } from "~/domain/services/service"
import {
  ownPathOfRenewalLink,
  renewedByLink,
  serviceOfRenewalLink,
  unpaidByLink,
} from "~/flows/services/renewal-link.server"
import { formOf } from "~/http/form.server"
import { noStore } from "~/middleware/cache-control.server"
import { signInStart } from "~/middleware/customers/sign-in-page.server"
import type { PageHandle } from "~/ssr/document"
import { RenewalLinkScreen } from "~/ui/renewal/renewal-link-screen"
import { unpaidView } from "../order/unpaid-view.server"
import { screenHref } from "../screen-href.server"
import type { Route } from "./+types/renew"
import { placeRenewal } from "./renewal-action.server"
import { linkedRenewal, renewedByLinkView } from "./renewal-link-view.server"

export const middleware: Route.MiddlewareFunction[] = [noStore]
export const handle = { title: "title.renewal", public: false } satisfies PageHandle
export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders

/** The link opens a page with a form: opening it changes nothing, since mail programs open every link. */
export async function loader({ request, url, context }: Route.LoaderArgs) {
  const token = url.searchParams.get(RENEWAL_TOKEN)
  if (token === null) return paid(context)
  const service = await linked(context, token)
  const unpaid = await unpaidByLink(context.get(servicesContext), context.get(sessionContext), service)
  const { signIn, ...shown } = await linkedRenewal(context, service, {
    unpaid,
    query: url.searchParams,
    headers: request.headers,
  })
  return {
    ...shown,
    unpaid: unpaidView(context, unpaid),
    isPaid: false,
    signIn: { ...signIn, path: signInPathOf(context) },
  }
}

/** What the order that was placed by a link has led to. */
async function paid(context: RouteContext) {
  const session = context.get(sessionContext)
  const order = await renewedByLink(context.get(servicesContext), session)
  if (!order && session.customer) throw redirect(screenHref(context, ownServicesPath))
  if (!order) throw signInStart(context, { reason: "needed", status: 401 })
  const { signIn, ...shown } = await renewedByLinkView(context, order)
  return {
    ...shown,
    renewal: null,
    lastTerm: null,
    cancelled: null,
    unpaid: null,
    isPaid: true,
    signIn: { ...signIn, path: signInPathOf(context) },
  }
}

/** The service of a link; a link that is too old or used leads to the sign-in, or to the customer's own page. */
async function linked(context: RouteContext, token: string): Promise<Service> {
  const service = await serviceOfRenewalLink(context.get(servicesContext), token)
  if (service) return service
  if (context.get(sessionContext).customer) throw redirect(screenHref(context, ownPathOfRenewalLink(token)))
  throw signInStart(context, { reason: "old-mail", status: 401 })
}

function signInPathOf(context: RouteContext): string {
  const path = context.get(sessionContext).customer ? ownServicesPath : `${pathOf.viewer.success}?signin`
  return localPath(context.get(localeContext), path)
}

export async function action(args: Route.ActionArgs) {
  const { url, context, request } = args
  const token = url.searchParams.get(RENEWAL_TOKEN) ?? ""
  const service = await linked(context, token)
  const form = await formOf(request)
  if (form.get("intent") === "renew-update") {
    const { cycles } = RenewalDraft.parse({ cycles: form.get("cycles"), also: [] })
    const chosen = cycles === undefined ? "" : `&cycles=${cycles}`
    throw redirect(`${screenHref(context, renewalLinkPath(token))}${chosen}`, 303)
  }
  if (form.get("intent") !== "renew") throw data({ kind: "not-found" }, { status: 404 })
  return placeRenewal(form, args, [service])
}

export default function Renew({ loaderData, actionData }: Route.ComponentProps) {
  return <RenewalLinkScreen {...loaderData} lastResult={actionData?.lastResult} />
}
