import { redirect } from "react-router"
import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { UpsellDraft } from "~/domain/forms/upsell-form"
import { pathOf, playlistPath } from "~/domain/screen-paths"
import { withoutReason } from "~/domain/service"
import { deviceOf, playersFor } from "~/domain/shop/shop-links"
import { withoutReferences } from "~/domain/timeline"
import { mayChoosePassword } from "~/flows/customers/set-password.server"
import { showAccess } from "~/flows/services/show-access.server"
import { showUpsell } from "~/flows/services/show-upsell.server"
import { formOf } from "~/http/form.server"
import { auth } from "~/middleware/auth.server"
import { noStore } from "~/middleware/cache-control.server"
import { orderLink } from "~/middleware/order-link.server"
import { redirections } from "~/middleware/redirections.server"
import { signInLink } from "~/middleware/sign-in-link.server"
import type { PageHandle } from "~/ssr/document"
import { PasswordForm } from "~/ui/success/password-form"
import { SuccessScreen } from "~/ui/success/success-screen"
import { OrderEmail } from "~/ui/waiting/order-email"
import { OrderPoller } from "~/ui/waiting/order-poller"
import { qrOf } from "~/ui/waiting/qr-code.server"
import type { Route } from "./+types/success"
import { isCorrecting, shownEmail } from "./order-email-action.server"
import { renewalPart } from "./renewal-view.server"
import { screenHref } from "./screen-href.server"
import { doneIn, handleServiceAction } from "./service-action.server"

export const middleware: Route.MiddlewareFunction[] = [
  noStore,
  signInLink,
  orderLink,
  auth("buyer"),
  redirections("success"),
]
export const handle = { title: "title.success", public: false } satisfies PageHandle

export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders

const REFRESH_SECONDS = 3

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const session = context.get(sessionContext)
  const access = await showAccess(services, session)
  if (!access) throw redirect(screenHref(context, pathOf.viewer.checkout))
  if (access.service.kind === "reseller") throw redirect(screenHref(context, pathOf.reseller.success))

  const { order, service, playlistAddress, unsettled } = access
  const part = await renewalPart(context, { service, services: access.services, order }, url.searchParams)
  const { quantity } = UpsellDraft.parse(Object.fromEntries(url.searchParams))
  return {
    ...access,
    service: withoutReason(access.service),
    order: order && { id: order.id, total: order.total, kind: order.kind },
    orderEmail: await shownEmail(services, order, url),
    timeline: withoutReferences(access.timeline),
    services: access.services.map(({ id, name, username, status, paidUntil }) => ({
      id,
      name,
      username,
      status,
      paidUntil,
      renewal: part.renewable[id] ?? null,
    })),
    renewal: part.renewal,
    isRenewalDue: part.isDue,
    standing: part.standing,
    playlistPath: `${screenHref(context, playlistPath)}?line=${service.id}`,
    playlistQr: playlistAddress && qrOf(playlistAddress),
    apps: playersFor(services.shop.apps, deviceOf(request.headers.get("user-agent")), playlistAddress),
    links: services.shop.links,
    upsell: await showUpsell(services, [service], {
      serviceId: service.id,
      quantity: quantity ?? null,
      locale: context.get(localeContext).code,
    }),
    done: doneIn(url.searchParams),
    confirming: url.searchParams.has("recreate") ? ("recreate" as const) : null,
    mayChoosePassword:
      session.customer?.id === service.customerId && mayChoosePassword(services, session.customer),
    timeZone: services.shop.timeZone,
    refreshSeconds: refreshSeconds(unsettled, url),
  }
}

function refreshSeconds(unsettled: boolean, url: URL): number | null {
  return unsettled && !isCorrecting(url) ? REFRESH_SECONDS : null
}

export async function action(args: Route.ActionArgs) {
  return handleServiceAction(await formOf(args.request), args)
}

export default function Success({ loaderData, actionData }: Route.ComponentProps) {
  const { version, refreshSeconds, mayChoosePassword: mayChoose, orderEmail, ...shown } = loaderData
  const lastResult = actionData?.lastResult
  const password = mayChoose && (
    <PasswordForm serviceId={shown.service.id} lastResult={lastResult} done={shown.done === "password"} />
  )
  return (
    <>
      <SuccessScreen
        {...shown}
        lastResult={lastResult}
        failed={actionData?.failed ?? null}
        orderEmail={<OrderEmail shown={orderEmail} lastResult={lastResult} />}
        passwordForm={password}
      />
      {refreshSeconds !== null && <OrderPoller version={version} serviceId={shown.service.id} />}
    </>
  )
}
