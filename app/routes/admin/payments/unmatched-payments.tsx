import { consoleRequest } from "~/context/console.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { UnmatchedPaymentsScreen } from "~/ui/admin/payments/unmatched-payments-screen.server"
import type { Route } from "./+types/unmatched-payments"

/** More are not listed: the shop has to find out first why nothing matches. */
const LISTED = 200

/** Payments that match no order: the open ones, or those that were handled. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { services } = consoleRequest(context)
  const isOpen = url.searchParams.get("state") !== "handled"
  const found = await services.console.unmatched.list({ isOpen, limit: LISTED + 1 })
  return consolePage(
    context,
    { title: t("unmatched.title"), path: "/admin/unmatched-payments" },
    <UnmatchedPaymentsScreen
      payments={found.slice(0, LISTED)}
      isOpen={isOpen}
      isCut={found.length > LISTED}
      timeZone={services.shop.timeZone}
    />,
  )
}
