import type { RouterContextProvider } from "react-router"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { ConsoleNotFoundScreen } from "~/ui/admin/not-found-screen.server"

/** The console's page for an address that names nothing, with the status 404. */
export function notFoundPage(context: Readonly<RouterContextProvider>): Response {
  return consolePage(
    context,
    { title: t("frame.notFound"), path: "", status: 404 },
    <ConsoleNotFoundScreen />,
  )
}
