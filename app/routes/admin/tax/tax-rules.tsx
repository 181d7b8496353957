import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { mayDo } from "~/domain/operators/operator"
import { newFormKey } from "~/flows/admin/form-key.server"
import { changeTax } from "~/flows/admin/tax/manage-tax.server"
import { type TypedTax, taxContent, typedTax } from "~/flows/admin/tax/typed-tax"
import { productsOnSale } from "~/flows/services/all-products.server"
import { formOf } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { TaxRulesScreen } from "~/ui/admin/tax/tax-rules-screen.server"
import { changeFormIn } from "../action-form.server"
import { problemNotice, proofAsked, sentBefore } from "../action-notice.server"
import { doneQuery } from "../done-notice.server"
import type { Route } from "./+types/tax-rules"
import { presentTax, taxProblemText, typedTaxIn } from "./tax-form.server"

const PATH = "/admin/tax"

/** The form that changes the rules of tax. */
export async function loader({ context }: Route.LoaderArgs) {
  return rulesPage(context, { notice: null, refused: null })
}

export async function action({ request, context }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const { tax, present, products } = await rulesOf(context)
  const form = await formOf(request)
  const typed = typedTaxIn(
    form,
    products.map(({ id }) => id),
  )
  const asked = changeFormIn(form)
  const step = { action: "edit-tax", content: taxContent(typed, present.content) } as const
  const outcome = await changeTax(services, actor, { tax, present, form: asked, step })
  if (outcome.kind === "repeated") return sentBefore(PATH)
  if (outcome.kind === "done") return redirect(`${PATH}?${doneQuery("edit-tax")}`, 303)
  const notice = problemNotice(outcome, taxProblemText)
  return rulesPage(context, { notice, refused: { typed, reason: asked.reason } })
}

/** The rules, and what is sold. Throws 404 with external billing. */
async function rulesOf(context: RouteContext) {
  const { services } = consoleRequest(context)
  const [rules, products] = await Promise.all([presentTax(context), productsOnSale(services.catalogue)])
  return { ...rules, products }
}

type Shown = {
  readonly notice: ActionNotice | null
  readonly refused: { readonly typed: TypedTax; readonly reason: string } | null
}

async function rulesPage(context: RouteContext, { notice, refused }: Shown): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const { present, products } = await rulesOf(context)
  return consolePage(
    context,
    { title: t("tax.edit"), path: PATH, notice },
    <TaxRulesScreen
      products={products}
      value={refused?.typed ?? typedTax(present.content)}
      mayChange={mayDo(session.role, "edit-tax")}
      seen={String(present.latest)}
      formKey={newFormKey(services, session)}
      proof={proofAsked(context, notice)}
      notice={notice}
      refused={refused}
    />,
  )
}
