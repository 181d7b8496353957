import { href, redirect } from "react-router"
import type { PageHandle } from "~/document"
import { deviceOf, playersFor } from "~/domain/shop-links"
import { UpsellDraft } from "~/domain/upsell-form"
import { mayChoosePassword } from "~/flows/choose-password.server"
import { showAccess } from "~/flows/show-access.server"
import { showUpsell } from "~/flows/show-upsell.server"
import { formOf } from "~/http/form.server"
import { auth } from "~/middleware/auth.server"
import { neverStored } from "~/middleware/caching.server"
import { rightScreenFor } from "~/middleware/right-screen.server"
import { servicesContext } from "~/services.server"
import { sessionContext } from "~/session.server"
import { OrderWatch } from "~/ui/order-watch"
import { PasswordForm } from "~/ui/password-form"
import { SuccessScreen } from "~/ui/success-screen"
import type { Route } from "./+types/success"
import { qrOf } from "./qr.server"
import { answerService, doneIn } from "./service-forms.server"

export const middleware: Route.MiddlewareFunction[] = [neverStored, auth("buyer"), rightScreenFor("success")]
export const handle = { title: "title.success", public: false } satisfies PageHandle

const REFRESH_SECONDS = 3

export async function loader({ request, url, context, params }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const session = context.get(sessionContext)
  const access = await showAccess(services, session)
  if (!access) throw redirect(href("/:locale?", params))
  if (access.service.kind === "reseller") throw redirect(href("/:locale?/resellers/success", params))

  const { order, service, playlistAddress, unsettled } = access
  const { quantity } = UpsellDraft.parse(Object.fromEntries(url.searchParams))
  return {
    ...access,
    order: order && { id: order.id, total: order.total, kind: order.kind },
    services: access.services.map(({ id, name, username, status }) => ({ id, name, username, status })),
    playlistPath: `${href("/:locale?/success/playlist.m3u8", params)}?line=${service.id}`,
    playlistQr: playlistAddress && qrOf(playlistAddress),
    apps: playersFor(services.shop.apps, deviceOf(request.headers.get("user-agent")), playlistAddress),
    links: services.shop.links,
    upsell: await showUpsell(services, [service], { serviceId: service.id, quantity: quantity ?? null }),
    done: doneIn(url.searchParams),
    asking: url.searchParams.has("recreate") ? ("recreate" as const) : null,
    mayChoosePassword:
      session.customer?.id === service.customerId && mayChoosePassword(services, session.customer),
    timeZone: services.shop.timeZone,
    refreshSeconds: unsettled ? REFRESH_SECONDS : null,
  }
}

export async function action({ request, ...args }: Route.ActionArgs) {
  return answerService(await formOf(request), args)
}

export default function Success({ loaderData, actionData }: Route.ComponentProps) {
  const { mark, refreshSeconds, mayChoosePassword: mayChoose, ...shown } = loaderData
  const problems = actionData?.problems ?? {}
  const { upsell } = shown
  const password = mayChoose && (
    <PasswordForm serviceId={shown.service.id} problems={problems} done={shown.done === "password"} />
  )
  return (
    <>
      <SuccessScreen
        {...shown}
        upsell={upsell && { ...upsell, quantity: actionData?.quantity ?? upsell.quantity }}
        problems={problems}
        typed={actionData?.typed ?? null}
        failed={actionData?.failed ?? null}
        account={password}
      />
      {refreshSeconds !== null && <OrderWatch mark={mark} serviceId={shown.service.id} />}
    </>
  )
}
