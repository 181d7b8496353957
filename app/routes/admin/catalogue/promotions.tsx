import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import { addPromotionByForm, type NewPromotionForm } from "~/flows/admin/catalogue/manage-promotions.server"
import { formOf } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { actionFormIn } from "../action-form.server"
import { problemNotice, sentBefore } from "../action-notice.server"
import type { Route } from "./+types/promotions"
import { promotionIn, promotionProblemText } from "./promotion-form.server"
import { promotionsPage } from "./promotions-page.server"

const PATH = "/admin/promotions"

/** The promotions, by code, and a form to add one. */
export function loader({ context, url }: Route.LoaderArgs) {
  const { searchParams } = url
  const range = {
    beginning: (searchParams.get("q") ?? "").trim(),
    after: searchParams.get("after") ?? undefined,
    before: searchParams.get("before") ?? undefined,
  }
  const notice: ActionNotice | null = searchParams.has("gone")
    ? { kind: "warning", text: t("promotions.gone") }
    : null
  return promotionsPage(context, { range, notice, typed: null })
}

export async function action({ request, context }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const { promotions } = services.console
  if (!promotions) throw new Response(null, { status: 404 })
  const form = formIn(await formOf(request))
  const outcome = await addPromotionByForm(services, actor, { promotions, form })
  if (outcome.kind === "done") return redirect(`${PATH}/${encodeURIComponent(outcome.value.code)}?added`, 303)
  if (outcome.kind === "repeated") return sentBefore(PATH)
  const notice = problemNotice(outcome, promotionProblemText)
  return promotionsPage(context, { range: { beginning: "" }, notice, typed: form })
}

function formIn(form: FormData): NewPromotionForm {
  return {
    typed: promotionIn(form),
    ...actionFormIn(form),
  }
}
