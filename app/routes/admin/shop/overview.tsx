import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { mayDo } from "~/domain/operators/operator"
import { newFormKey } from "~/flows/admin/form-key.server"
import { firstDayIn } from "~/flows/admin/shop/first-day.server"
import { leaveNeed, showOverview, takeNeed } from "~/flows/admin/shop/show-overview.server"
import { formOf, textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { OverviewScreen } from "~/ui/admin/shop/overview-screen.server"
import { sentKeyIn } from "../action-form.server"
import { noticeOf } from "../action-notice.server"
import type { Route } from "./+types/overview"

/** Longest key of a need; longer ones are of no page of the console. */
const MAX_KEY = 500

export function loader({ context }: Route.LoaderArgs) {
  return overview(context, null)
}

/** Takes something that needs a person, or gives it back. */
export async function action({ request, context }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const form = await formOf(request)
  const asked = { need: textIn(form, "need").slice(0, MAX_KEY), formKey: sentKeyIn(form) }
  const isTaking = textIn(form, "intent") === "take"
  const outcome = await (isTaking ? takeNeed : leaveNeed)(services, actor, asked)
  if (outcome.kind !== "done" && outcome.kind !== "repeated") return overview(context, noticeOf(outcome))
  const isLate = outcome.kind === "done" && isTaking && !outcome.value
  return isLate
    ? overview(context, { kind: "bad", text: t("overview.takenMeanwhile") })
    : redirect("/admin", 303)
}

async function overview(context: RouteContext, notice: ActionNotice | null): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const [shown, firstDay] = await Promise.all([
    showOverview(services, session),
    session.role === "owner" ? firstDayIn(services) : null,
  ])
  const view = {
    overview: shown,
    firstDay,
    keys: shown.needs.map(() => newFormKey(services, session)),
    email: session.email,
    mayTake: mayDo(session.role, "take-need"),
    notice,
    timeZone: services.shop.timeZone,
  }
  const head = { title: t("overview.title"), path: "/admin", status: notice ? 422 : 200 }
  return consolePage(context, head, <OverviewScreen {...view} />)
}
