import { href, redirect } from "react-router"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { withoutReferences } from "~/domain/timeline"
import { showReseller } from "~/flows/resellers/show-reseller.server"
import { formOf } from "~/http/form.server"
import { neverStored } from "~/middleware/cache-control.server"
import { resellerSuccess } from "~/middleware/reseller-success.server"
import type { PageHandle } from "~/ssr/document"
import { ResellerSuccessScreen } from "~/ui/resellers/reseller-success-screen"
import { OrderWatch } from "~/ui/waiting/order-poller"
import type { Route } from "./+types/reseller-success"
import { answerLine } from "./line-action.server"

export const middleware: Route.MiddlewareFunction[] = [neverStored, resellerSuccess]
export const handle = { title: "title.resellerSuccess", public: false } satisfies PageHandle

const REFRESH_SECONDS = 3

export async function loader({ url, context, params }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const access = await showReseller(services, context.get(sessionContext))
  if (!access) throw redirect(href("/:locale?/resellers", params))
  const { order, unsettled } = access
  return {
    ...access,
    order: order && { id: order.id, total: order.total },
    timeline: withoutReferences(access.timeline),
    services: access.services.map(({ id, name, username, status }) => ({ id, name, username, status })),
    lines: access.lines.map(({ id, name, username, status, notes }) => ({
      id,
      name,
      username,
      status,
      notes,
    })),
    made: url.searchParams.get("done") === "line",
    timeZone: services.shop.timeZone,
    refreshSeconds: unsettled ? REFRESH_SECONDS : null,
  }
}

export async function action(args: Route.ActionArgs) {
  return answerLine(await formOf(args.request), args)
}

export default function ResellerSuccess({ loaderData, actionData }: Route.ComponentProps) {
  const { mark, refreshSeconds, ...shown } = loaderData
  return (
    <>
      <ResellerSuccessScreen
        {...shown}
        problems={actionData?.problems ?? {}}
        typed={actionData?.typed ?? ""}
      />
      {refreshSeconds !== null && <OrderWatch mark={mark} serviceId={shown.service.id} />}
    </>
  )
}
