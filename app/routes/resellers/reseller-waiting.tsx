import { pathOf } from "~/domain/orders/screen-paths"
import { noStore } from "~/middleware/cache-control.server"
import { orderLink } from "~/middleware/orders/order-link.server"
import { redirections } from "~/middleware/orders/redirections.server"
import type { PageHandle } from "~/ssr/document"
import { WaitingPage } from "~/ui/waiting/waiting-page"
import { handleWaitingAction, showWaiting } from "../waiting/waiting-page.server"
import type { Route } from "./+types/reseller-waiting"

export const middleware: Route.MiddlewareFunction[] = [
  noStore,
  orderLink,
  redirections("waiting", "reseller"),
]
export const handle = {
  title: "title.resellerWaiting",
  public: false,
  firstStyle: "purchase",
  cachePerVisitor: true,
} satisfies PageHandle

export async function loader(visit: Route.LoaderArgs) {
  return showWaiting(visit)
}

export async function action(visit: Route.ActionArgs) {
  return handleWaitingAction(visit, pathOf.reseller.waiting)
}

export default function ResellerWaiting({ loaderData, actionData }: Route.ComponentProps) {
  return <WaitingPage {...loaderData} error={actionData?.error ?? null} lastResult={actionData?.lastResult} />
}
