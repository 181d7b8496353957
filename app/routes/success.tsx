import { href, redirect } from "react-router"
import type { PageHandle } from "~/document"
import { showAccess } from "~/flows/show-access.server"
import { neverStored } from "~/middleware/caching.server"
import { rightScreenFor } from "~/middleware/right-screen.server"
import { servicesContext } from "~/services.server"
import { sessionContext } from "~/session.server"
import { OrderWatch } from "~/ui/order-watch"
import { SuccessScreen } from "~/ui/success-screen"
import type { Route } from "./+types/success"

export const middleware: Route.MiddlewareFunction[] = [neverStored, rightScreenFor("success")]
export const handle = { title: "title.success", public: false } satisfies PageHandle

const REFRESH_SECONDS = 3

export async function loader({ context, params }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const { orderId } = context.get(sessionContext)
  const access = orderId ? await showAccess(services, orderId) : null
  if (!access) throw redirect(href("/:locale?", params))

  return {
    ...access,
    playlistPath: href("/:locale?/success/playlist.m3u8", params),
    timeZone: services.shop.timeZone,
    refreshSeconds: access.ready ? null : REFRESH_SECONDS,
  }
}

export default function Success({ loaderData }: Route.ComponentProps) {
  const { mark, refreshSeconds, ...shown } = loaderData
  return (
    <>
      <SuccessScreen {...shown} />
      {refreshSeconds !== null && <OrderWatch mark={mark} />}
    </>
  )
}
