import { data, href, redirect } from "react-router"
import type { PageHandle } from "~/document"
import { isGatewayId } from "~/domain/gateway-id"
import { rightScreen } from "~/domain/order-status"
import { statusOf } from "~/domain/problem"
import { outstanding } from "~/domain/settlement"
import { changeGateway } from "~/flows/change-gateway.server"
import { offeredGateways } from "~/flows/offered-gateways.server"
import { watchOrder } from "~/flows/watch-order.server"
import { formOf } from "~/http/form.server"
import { neverStored } from "~/middleware/caching.server"
import { rightScreenFor } from "~/middleware/right-screen.server"
import { servicesContext } from "~/services.server"
import { sessionContext } from "~/session.server"
import { OrderWatch } from "~/ui/order-watch"
import { WaitingScreen } from "~/ui/waiting-screen"
import type { Route } from "./+types/waiting"
import { abortOrder, changeOrder } from "./change-order.server"
import { qrOf } from "./qr.server"

export const middleware: Route.MiddlewareFunction[] = [neverStored, rightScreenFor("waiting")]
export const handle = { title: "title.waiting", public: false } satisfies PageHandle

const REFRESH_SECONDS = 5

/** States of the page that are asked for by its address; without one it waits for the payment. */
const states = ["gateway", "edit", "abort"] as const

export async function loader({ url, context, params }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const { orderId } = context.get(sessionContext)
  const returned = url.searchParams.has("returned")
  const watched = orderId ? await watchOrder(services, orderId, { returned }) : null
  if (!watched || rightScreen("waiting", watched.order.status))
    throw redirect(href("/:locale?/success", params))

  const { order, timeline, pay, mark } = watched
  const state = pay ? stateAsked(url.searchParams) : "pay"
  return {
    ...{ order, timeline, mark, state },
    pay: pay && { ...pay, qr: qrOf(pay.url) },
    left: outstanding(order),
    gateways: offeredGateways(services),
    accessPath: order.kind === "upsell" ? `/success?serviceid=${order.serviceId}` : null,
    now: services.now(),
    timeZone: services.shop.timeZone,
    // Whoever is asked something must not have the page taken away.
    refreshSeconds: pay && state === "pay" ? REFRESH_SECONDS : null,
  }
}

function stateAsked(query: URLSearchParams): (typeof states)[number] | "pay" {
  return states.find((it) => query.has(it)) ?? "pay"
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const form = await formOf(request)
  const intent = form.get("intent")
  if (intent === "edit" || intent === "again") throw await changeOrder({ context, params })
  if (intent === "abort") throw await abortOrder({ context, params })
  if (intent !== "gateway") throw redirect(href("/:locale?/waiting", params), 303)

  const gateway = form.get("gateway")
  const { orderId } = context.get(sessionContext)
  if (typeof gateway !== "string" || !isGatewayId(gateway) || !orderId) {
    return data({ problem: "choose" as const }, { status: 400 })
  }
  const opening = await changeGateway(context.get(servicesContext), orderId, gateway)
  if (opening.kind === "not-opened") {
    return data({ problem: "not-opened" as const }, { status: statusOf[opening.problem] })
  }
  throw redirect(opening.kind === "opened" ? opening.url : href("/:locale?/waiting", params), 303)
}

export default function Waiting({ loaderData, actionData }: Route.ComponentProps) {
  const { mark, refreshSeconds, ...shown } = loaderData
  return (
    <>
      <WaitingScreen {...shown} problem={actionData?.problem ?? null} />
      {refreshSeconds !== null && <OrderWatch mark={mark} serviceId={null} />}
    </>
  )
}
