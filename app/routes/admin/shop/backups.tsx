import { consoleRequest } from "~/context/console.server"
import { unconfirmedNumbers } from "~/flows/admin/accounting/continue-numbers.server"
import { listBackups } from "~/flows/admin/backups.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { BackupsScreen } from "~/ui/admin/shop/backups-screen.server"
import type { Route } from "./+types/backups"

const LISTED = 30

/** Backups with time, size and place, and when one was last read back. */
export async function loader({ context }: Route.LoaderArgs) {
  const { services } = consoleRequest(context)
  const { made, tried } = await listBackups(services.console.auditLog, LISTED)
  return consolePage(
    context,
    { title: t("backups.title"), path: "/admin/backups" },
    <BackupsScreen
      mayRepeatNumbers={(await unconfirmedNumbers(services.console, services.now())) !== null}
      made={made}
      tried={tried}
      now={services.now()}
      timeZone={services.shop.timeZone}
    />,
  )
}
