import type { RouteContext } from "~/context/route-context"
import { formOf } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { ConsoleNotFoundScreen } from "~/ui/admin/not-found-screen.server"
import { typedIn } from "./action-form.server"

/** The console's page for an address that names nothing, with the status 404. `sent`: the form that was posted to it. */
export async function notFoundPage(context: RouteContext, sent: Request | null): Promise<Response> {
  const typed = sent ? typedIn(await formOf(sent)) : []
  return consolePage(
    context,
    { title: t("frame.notFound"), path: "", status: 404 },
    <ConsoleNotFoundScreen typed={typed} />,
  )
}
