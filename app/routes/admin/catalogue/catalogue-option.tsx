import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { mayDo } from "~/domain/operators/operator"
import {
  changeCatalogue,
  type TypedOption,
  typedOption,
  withOption,
} from "~/flows/admin/catalogue/manage-catalogue.server"
import { newFormKey } from "~/flows/admin/form-key.server"
import { formOf } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { CatalogueOptionScreen } from "~/ui/admin/catalogue/catalogue-option-screen.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { changeFormIn } from "../action-form.server"
import { problemNotice, proofAsked, sentBefore } from "../action-notice.server"
import { doneNotice, doneQuery } from "../done-notice.server"
import type { Route } from "./+types/catalogue-option"
import {
  catalogueProblemText,
  formOfQuery,
  goneOptionIn,
  optionIn,
  presentCatalogue,
  typedQuery,
} from "./catalogue-form.server"
import { newOptionPage } from "./new-option-page.server"

const PATH = "/admin/catalogue"

/** An option with its choices, and the form that changes it for all products that have it. */
export async function loader({ context, params: { id }, url }: Route.LoaderArgs) {
  const query = url.searchParams
  const { option } = await optionOf(context, id)
  const ids = option.options.map((it) => it.id)
  const typed = query.has("name") ? { typed: optionIn(formOfQuery(query), ids), reason: "" } : null
  const notice = doneNotice(query, option.name)
  return optionPage(context, id, { notice, typed })
}

export async function action({ request, context, params: { id } }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const form = await formOf(request)
  const found = await optionIfAny(context, id)
  if (!found) return goneOption(context, form)
  const { catalogue, present, option, index } = found
  if (form.has("preview")) {
    const query = typedQuery(form)
    query.set("option", id)
    return redirect(`${PATH}/preview?${query}`, 303)
  }
  const typed = optionIn(
    form,
    option.options.map((it) => it.id),
  )
  const asked = changeFormIn(form)
  const to = withOption(present.content, id, typed)
  const change = { catalogue, present, form: asked, subject: `catalogue option ${id}`, to }
  const outcome = await changeCatalogue(services, actor, change)
  if (outcome.kind === "repeated") return sentBefore(`${PATH}/options/${encodeURIComponent(id)}`)
  if (outcome.kind === "done")
    return redirect(`${PATH}/options/${encodeURIComponent(id)}?${doneQuery("edit-catalogue")}`, 303)
  const notice = problemNotice(outcome, (it) =>
    catalogueProblemText(it, { content: to, at: ["configoptions", index] }),
  )
  return optionPage(context, id, { notice, typed: { typed, reason: asked.reason } })
}

/** The option was removed since its form was opened: what was typed is offered as a new one. */
function goneOption(context: RouteContext, form: FormData): Promise<Response> {
  const notice: ActionNotice = { kind: "bad", text: t("catalogue.gone.option") }
  return newOptionPage(context, {
    notice,
    typed: { typed: goneOptionIn(form), reason: changeFormIn(form).reason },
  })
}

/** Null for an unknown option. Throws 404 with external billing. */
async function optionIfAny(context: RouteContext, id: string) {
  const { catalogue, present } = await presentCatalogue(context)
  const index = present.content.configoptions.findIndex((it) => it.id === id)
  const option = present.content.configoptions[index]
  return option ? { catalogue, present, option, index } : null
}

/** Throws 404 for an unknown option, and with external billing. */
async function optionOf(context: RouteContext, id: string) {
  const found = await optionIfAny(context, id)
  if (!found) throw new Response(null, { status: 404 })
  return found
}

type Shown = {
  readonly notice: ActionNotice | null
  readonly typed: { readonly typed: TypedOption; readonly reason: string } | null
}

async function optionPage(context: RouteContext, id: string, { notice, typed }: Shown): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const { present, option } = await optionOf(context, id)
  return consolePage(
    context,
    { title: option.name, path: PATH, notice },
    <CatalogueOptionScreen
      option={option}
      products={present.products.filter(({ options }) => options.some((it) => it.id === id))}
      mayEdit={mayDo(session.role, "edit-catalogue")}
      value={typed?.typed ?? typedOption(option)}
      seen={String(present.latest)}
      formKey={newFormKey(services, session)}
      proof={proofAsked(context, notice)}
      notice={notice}
      refused={typed}
    />,
  )
}
