import { formOf } from "~/http/form.server"
import { noStore } from "~/middleware/cache-control.server"
import { otherReview } from "~/middleware/orders/other-selection.server"
import { redirections } from "~/middleware/orders/redirections.server"
import { pricing } from "~/middleware/pricing/pricing.server"
import type { PageHandle } from "~/ssr/document"
import { PendingScreen } from "~/ui/review/pending-screen"
import { ReviewScreen } from "~/ui/review/review-screen"
import type { Route } from "./+types/creating-order"
import { handleReviewAction } from "./review-action.server"
import { reviewView } from "./review-view.server"

export const middleware: Route.MiddlewareFunction[] = [
  noStore,
  otherReview,
  redirections("creatingOrder"),
  pricing,
]
export const handle = {
  title: "title.creatingOrder",
  public: false,
  firstStyle: "purchase",
} satisfies PageHandle
export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders

export async function loader({ url, context }: Route.LoaderArgs) {
  return reviewView(context, url)
}

export async function action({ request, context }: Route.ActionArgs) {
  return handleReviewAction(await formOf(request), context)
}

export default function CreatingOrder({ loaderData, actionData }: Route.ComponentProps) {
  if (loaderData.kind === "pending") return <PendingScreen {...loaderData} />
  return <ReviewScreen {...loaderData} error={actionData?.error ?? loaderData.error} />
}
