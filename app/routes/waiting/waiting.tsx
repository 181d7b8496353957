import { pathOf } from "~/domain/orders/screen-paths"
import { noStore } from "~/middleware/cache-control.server"
import { orderLink } from "~/middleware/orders/order-link.server"
import { redirections } from "~/middleware/orders/redirections.server"
import type { PageHandle } from "~/ssr/document"
import { WaitingPage } from "~/ui/waiting/waiting-page"
import type { Route } from "./+types/waiting"
import { handleWaitingAction, showWaiting } from "./waiting-page.server"

export const middleware: Route.MiddlewareFunction[] = [noStore, orderLink, redirections("waiting")]
export const handle = {
  title: "title.waiting",
  public: false,
  firstStyle: "purchase",
  cachePerVisitor: true,
} satisfies PageHandle
export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders

export async function loader(visit: Route.LoaderArgs) {
  return showWaiting(visit)
}

export async function action(visit: Route.ActionArgs) {
  return handleWaitingAction(visit, pathOf.viewer.waiting)
}

export default function Waiting({ loaderData, actionData }: Route.ComponentProps) {
  return <WaitingPage {...loaderData} error={actionData?.error ?? null} lastResult={actionData?.lastResult} />
}
