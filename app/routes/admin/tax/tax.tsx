import { redirect } from "react-router"
import type { TaxAdmin } from "~/billing/tax-admin"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import type { ConsoleServices } from "~/context/services.server"
import { dayIn } from "~/domain/calendar"
import { isCountryCode } from "~/domain/customers/country-codes"
import { mayDo } from "~/domain/operators/operator"
import { newFormKey } from "~/flows/admin/form-key.server"
import type { VersionForm } from "~/flows/admin/make-version.server"
import { changeTax } from "~/flows/admin/tax/manage-tax.server"
import { previewTax } from "~/flows/admin/tax/preview-tax.server"
import { productsOnSale } from "~/flows/services/all-products.server"
import { formOf, textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { TaxExternalScreen, type TaxPreviewShown, TaxScreen } from "~/ui/admin/tax/tax-screen.server"
import { changeFormIn } from "../action-form.server"
import { problemNotice, proofAsked, sentBefore } from "../action-notice.server"
import { doneNotice, doneQuery } from "../done-notice.server"
import { versionsShown } from "../version-pages.server"
import type { Route } from "./+types/tax"
import { presentTax, taxProblemText } from "./tax-form.server"

const PATH = "/admin/tax"

/** The rules of tax in force, what a buyer would pay by them, and the versions. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const notice = doneNotice(url.searchParams)
  return taxPage(context, url.searchParams, { notice, refused: null })
}

/** Says that the rates were checked, switches off, or uses the shop file's rules again. */
export async function action({ request, context }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const { tax, present } = await presentTax(context)
  const form = await formOf(request)
  const step = stepIn(textIn(form, "action"))
  if (!step) throw new Response(null, { status: 400 })
  const asked = changeFormIn(form)
  const outcome = await changeTax(services, actor, { tax, present, form: asked, step })
  if (outcome.kind === "repeated") return sentBefore(PATH)
  if (outcome.kind === "done") return redirect(`${PATH}?${doneQuery(step.action)}`, 303)
  const notice = problemNotice(outcome, taxProblemText)
  return taxPage(context, new URLSearchParams(), { notice, refused: { ...asked, action: step.action } })
}

const steps = ["confirm-tax", "switch-off-tax", "use-tax-file"] as const

function stepIn(action: string) {
  const known = steps.find((it) => it === action)
  return known ? { action: known } : null
}

type Shown = {
  readonly notice: ActionNotice | null
  readonly refused: (VersionForm & { readonly action: string }) | null
}

async function taxPage(context: RouteContext, query: URLSearchParams, { notice, refused }: Shown) {
  const { services, session } = consoleRequest(context)
  const { tax } = services.console
  const head = { title: t("tax.title"), path: PATH, notice }
  if (!tax) return consolePage(context, head, <TaxExternalScreen />)
  const [present, versions, preview] = await Promise.all([
    tax.present(),
    versionsShown(context, { subject: "tax", source: tax, query }),
    previewShown(services, tax, query),
  ])
  return consolePage(
    context,
    head,
    <TaxScreen
      present={present}
      {...versions}
      preview={preview}
      mayChange={mayDo(session.role, "edit-tax")}
      formKey={newFormKey(services, session)}
      proof={proofAsked(context, notice)}
      notice={notice}
      refused={refused}
      timeZone={services.shop.timeZone}
    />,
  )
}

/** What a buyer of the query's country pays for its plan on its day. */
async function previewShown(
  { catalogue, shop, now }: ConsoleServices,
  tax: TaxAdmin,
  query: URLSearchParams,
): Promise<TaxPreviewShown> {
  const products = await productsOnSale(catalogue)
  const { country, region, plan, day } = askedIn(query)
  const product = products.find(({ id }) => id === plan)
  const today = dayIn(shop.timeZone, now())
  const shown = { products, plan: product?.id ?? null, country, region, day: day ?? today }
  if (!query.has("country")) return { ...shown, prices: null, isUnknown: false }
  if (!isCountryCode(country) || !product || day === null) return { ...shown, prices: null, isUnknown: true }
  const buyer = { named: country, located: null, region: region || null }
  return { ...shown, prices: previewTax(await tax.present(), product, { buyer, day }), isUnknown: false }
}

/** `day`: null for what is none. */
function askedIn(query: URLSearchParams) {
  const textOf = (name: string) => query.get(name)?.trim() ?? ""
  const day = textOf("day")
  return {
    country: textOf("country").toUpperCase(),
    region: textOf("region"),
    plan: textOf("plan"),
    day: isDay(day) ? day : null,
  }
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
}
