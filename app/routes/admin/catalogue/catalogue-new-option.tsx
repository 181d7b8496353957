import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import { addOption, withNewOption } from "~/flows/admin/catalogue/manage-catalogue.server"
import { formOf } from "~/http/form.server"
import { changeFormIn } from "../action-form.server"
import { problemNotice, sentBefore } from "../action-notice.server"
import { doneQuery } from "../done-notice.server"
import type { Route } from "./+types/catalogue-new-option"
import {
  catalogueProblemText,
  formOfQuery,
  newOptionIn,
  presentCatalogue,
  typedQuery,
} from "./catalogue-form.server"
import { newOptionPage } from "./new-option-page.server"

const PATH = "/admin/catalogue"

/** The form of a new option: empty, or as the preview leads back to it. */
export function loader({ context, url: { searchParams: query } }: Route.LoaderArgs) {
  const typed = query.has("name") ? { typed: newOptionIn(formOfQuery(query)), reason: "" } : null
  return newOptionPage(context, { notice: null, typed })
}

export async function action({ request, context }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const { catalogue, present } = await presentCatalogue(context)
  const form = await formOf(request)
  if (form.has("preview")) {
    const query = typedQuery(form)
    query.set("new", "option")
    return redirect(`${PATH}/preview?${query}`, 303)
  }
  const typed = newOptionIn(form)
  const asked = changeFormIn(form)
  const outcome = await addOption(services, actor, { catalogue, present, form: asked, typed })
  if (outcome.kind === "repeated") return sentBefore(PATH)
  if (outcome.kind === "done") return redirect(`${PATH}?${doneQuery("add-option")}`, 303)
  const at = ["configoptions", present.content.configoptions.length]
  const content = withNewOption(present.content, { optionId: "", choiceIds: [] }, typed)
  const notice = problemNotice(outcome, (it) => catalogueProblemText(it, { content, at }))
  return newOptionPage(context, { notice, typed: { typed, reason: asked.reason } })
}
