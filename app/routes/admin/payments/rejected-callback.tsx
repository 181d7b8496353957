import { consoleRequest } from "~/context/console.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { RejectedCallbackScreen } from "~/ui/admin/payments/rejected-callback-screen.server"
import type { Route } from "./+types/rejected-callback"

/** A rejected callback as it was sent. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { services } = consoleRequest(context)
  const callback = await services.console.overview.storedCallback(params.id)
  if (!callback) throw new Response(null, { status: 404 })
  return consolePage(
    context,
    { title: t("rejected.one"), path: "/admin/rejected-callbacks" },
    <RejectedCallbackScreen callback={callback} timeZone={services.shop.timeZone} />,
  )
}
