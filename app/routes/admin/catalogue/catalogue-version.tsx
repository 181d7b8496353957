import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { changeCatalogue } from "~/flows/admin/catalogue/manage-catalogue.server"
import { catalogueHistory } from "~/flows/admin/version-history.server"
import { formOf } from "~/http/form.server"
import { changeFormIn } from "../action-form.server"
import { problemNotice, sentBefore } from "../action-notice.server"
import { versionNamed, versionPage } from "../version-pages.server"
import type { Route } from "./+types/catalogue-version"
import { catalogueProblemText, presentCatalogue } from "./catalogue-form.server"

const PATH = "/admin/catalogue"

/** A version of the products. */
export async function loader({ context, params: { number }, url }: Route.LoaderArgs) {
  const compared = url.searchParams.get("with")
  return versionPage(context, await catalogueOf(context), { number, compared, notice: null, refused: null })
}

/** Takes it back. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const { catalogue, present } = await presentCatalogue(context)
  const { number: version } = await versionNamed(catalogue, params.number)
  const form = changeFormIn(await formOf(request))
  const subject = `catalogue version ${version}`
  const change = { catalogue, present, form, subject, to: { version } }
  const outcome = await changeCatalogue(services, actor, change)
  if (outcome.kind === "done") return redirect(`${PATH}/versions/${outcome.value.version}`, 303)
  if (outcome.kind === "repeated") return sentBefore(PATH)
  const notice = problemNotice(outcome, (it) =>
    catalogueProblemText(it, { content: present.content, at: [] }),
  )
  const shown = { number: params.number, compared: null, notice, refused: form }
  return versionPage(context, await catalogueOf(context), shown)
}

async function catalogueOf(context: RouteContext) {
  const { catalogue, present } = await presentCatalogue(context)
  return { subject: "catalogue", history: catalogueHistory(catalogue), present } as const
}
