import { consoleRequest } from "~/context/console.server"
import { findRejectedCallbacks, rejectedQueryIn } from "~/flows/admin/payments/find-rejected-callbacks.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { RejectedCallbacksScreen } from "~/ui/admin/payments/rejected-callbacks-screen.server"
import type { Route } from "./+types/rejected-callbacks"

const LISTED = 200

/** Callbacks that were rejected, counted by day, gateway and reason, and those that are stored as they were sent. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { services } = consoleRequest(context)
  const { filter, typed, invalid } = rejectedQueryIn((field) => url.searchParams.get(field) ?? "")
  const { timeZone } = services.shop
  const finding = { overview: services.console.overview, timeZone, now: services.now() }
  const found = await findRejectedCallbacks(finding, filter, LISTED)
  return consolePage(
    context,
    { title: t("rejected.title"), path: "/admin/rejected-callbacks" },
    <RejectedCallbacksScreen
      {...found}
      typed={typed}
      invalid={invalid.map((field) => t(`rejected.${field}`))}
      timeZone={timeZone}
    />,
  )
}
