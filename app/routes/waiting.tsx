import { href, redirect } from "react-router"
import type { PageHandle } from "~/document"
import { rightScreen } from "~/domain/order-status"
import { outstanding } from "~/domain/settlement"
import { watchOrder } from "~/flows/watch-order.server"
import { neverStored } from "~/middleware/caching.server"
import { rightScreenFor } from "~/middleware/right-screen.server"
import { servicesContext } from "~/services.server"
import { sessionContext } from "~/session.server"
import { OrderWatch } from "~/ui/order-watch"
import { WaitingScreen } from "~/ui/waiting-screen"
import type { Route } from "./+types/waiting"
import { changeOrder } from "./change-order.server"
import { formOf } from "./form.server"
import { qrOf } from "./qr.server"

export const middleware: Route.MiddlewareFunction[] = [neverStored, rightScreenFor("waiting")]
export const handle = { title: "title.waiting", public: false } satisfies PageHandle

const REFRESH_SECONDS = 5

export async function loader({ url, context, params }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const { orderId } = context.get(sessionContext)
  const watched = orderId
    ? await watchOrder(services, orderId, { returned: url.searchParams.has("returned") })
    : null
  if (!watched || rightScreen("waiting", watched.order.status))
    throw redirect(href("/:locale?/success", params))

  const { order, timeline, pay, mark } = watched
  return {
    ...{ order, timeline, mark },
    pay: pay && { ...pay, qr: qrOf(pay.url) },
    left: outstanding(order),
    now: services.now(),
    timeZone: services.shop.timeZone,
    refreshSeconds: pay && REFRESH_SECONDS,
  }
}

/** The one thing to send from here is a change of mind; anything else is answered by the page itself. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const form = await formOf(request)
  if (form.get("intent") === "edit") throw await changeOrder({ context, params })
  throw redirect(href("/:locale?/waiting", params), 303)
}

export default function Waiting({ loaderData }: Route.ComponentProps) {
  const { mark, refreshSeconds, ...shown } = loaderData
  return (
    <>
      <WaitingScreen {...shown} />
      {refreshSeconds !== null && <OrderWatch mark={mark} />}
    </>
  )
}
