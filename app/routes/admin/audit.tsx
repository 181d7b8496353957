import { consoleRequest } from "~/context/console.server"
import { operatorShownTo } from "~/domain/operator"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { AuditScreen } from "~/ui/admin/audit-screen.server"
import type { Route } from "./+types/audit"

const PER_PAGE = 50

/** What operators did, newest first. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { services, session } = consoleRequest(context)
  const before = Number(url.searchParams.get("before") ?? Number.NaN)
  const found = await services.console.auditLog.newest({
    limit: PER_PAGE,
    before: Number.isSafeInteger(before) ? before : undefined,
  })
  const entries = found.map((it) => ({ ...it, operator: operatorShownTo(session.role, it.operator) }))
  const older = entries.length < PER_PAGE ? null : (entries.at(-1)?.position ?? null)
  const view = { entries, older, timeZone: services.shop.timeZone }
  return consolePage(context, { title: t("audit.title"), path: "/admin/audit" }, <AuditScreen {...view} />)
}
