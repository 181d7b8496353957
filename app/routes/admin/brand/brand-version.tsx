import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { changeBrand, presentBrand } from "~/flows/admin/manage-brand.server"
import { brandHistory } from "~/flows/admin/version-history.server"
import { formOf } from "~/http/form.server"
import { changeFormIn } from "../action-form.server"
import { problemNotice, sentBefore } from "../action-notice.server"
import { versionNamed, versionPage } from "../version-pages.server"
import type { Route } from "./+types/brand-version"
import { brandProblemText } from "./brand-form.server"

const PATH = "/admin/brand"

/** A version of brand and texts. */
export async function loader({ context, params: { number }, url }: Route.LoaderArgs) {
  const compared = url.searchParams.get("with")
  return versionPage(context, await brandOf(context), { number, compared, notice: null, refused: null })
}

/** Takes it back. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const { versions } = services.console.brand
  const { number: version } = await versionNamed(versions, params.number)
  const present = await presentBrand(versions)
  const form = changeFormIn(await formOf(request))
  const subject = `brand version ${version}`
  const target = { how: "take-back", version } as const
  const outcome = await changeBrand(services, actor, { present, form, subject, target })
  if (outcome.kind === "done") return redirect(`${PATH}/versions/${outcome.value.version}`, 303)
  if (outcome.kind === "repeated") return sentBefore(PATH)
  const notice = problemNotice(outcome, brandProblemText)
  const shown = { number: params.number, compared: null, notice, refused: form }
  return versionPage(context, await brandOf(context), shown)
}

async function brandOf(context: RouteContext) {
  const { versions } = consoleRequest(context).services.console.brand
  return { subject: "brand", history: brandHistory(versions), present: await presentBrand(versions) } as const
}
