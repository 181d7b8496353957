import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { changeTax } from "~/flows/admin/tax/manage-tax.server"
import { taxHistory } from "~/flows/admin/version-history.server"
import { formOf } from "~/http/form.server"
import { changeFormIn } from "../action-form.server"
import { problemNotice, sentBefore } from "../action-notice.server"
import { versionNamed, versionPage } from "../version-pages.server"
import type { Route } from "./+types/tax-version"
import { presentTax, taxProblemText } from "./tax-form.server"

const PATH = "/admin/tax"

/** A version of the rules of tax. */
export async function loader({ context, params: { number }, url }: Route.LoaderArgs) {
  const compared = url.searchParams.get("with")
  return versionPage(context, await taxOf(context), { number, compared, notice: null, refused: null })
}

/** Takes it back. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const { tax, present } = await presentTax(context)
  const { number: version } = await versionNamed(tax, params.number)
  const form = changeFormIn(await formOf(request))
  const step = { action: "take-back-tax", version } as const
  const outcome = await changeTax(services, actor, { tax, present, form, step })
  if (outcome.kind === "done") return redirect(`${PATH}/versions/${outcome.value.version}`, 303)
  if (outcome.kind === "repeated") return sentBefore(PATH)
  const notice = problemNotice(outcome, taxProblemText)
  const shown = { number: params.number, compared: null, notice, refused: form }
  return versionPage(context, await taxOf(context), shown)
}

async function taxOf(context: RouteContext) {
  const { tax, present } = await presentTax(context)
  return { subject: "tax", history: taxHistory(tax, present.file), present } as const
}
