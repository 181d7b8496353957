import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { mayDo } from "~/domain/operators/operator"
import {
  changeCatalogue,
  placeOf,
  removeProduct,
  type TypedProduct,
  typedProduct,
  withProduct,
} from "~/flows/admin/catalogue/manage-catalogue.server"
import { shownSchedules } from "~/flows/admin/catalogue/schedule-prices.server"
import { newFormKey } from "~/flows/admin/form-key.server"
import { formOf } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { CatalogueProductScreen } from "~/ui/admin/catalogue/catalogue-product-screen.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { changeFormIn } from "../action-form.server"
import { problemNotice, proofAsked, sentBefore } from "../action-notice.server"
import { doneNotice, doneQuery } from "../done-notice.server"
import type { Route } from "./+types/catalogue-product"
import {
  catalogueProblemText,
  formOfQuery,
  presentCatalogue,
  productIn,
  typedQuery,
} from "./catalogue-form.server"
import { newProductPage } from "./new-product-page.server"

const PATH = "/admin/catalogue"

/** A product, and the form that changes it: filled in by the query that the preview leads back with. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const query = url.searchParams
  const typed = query.has("name") ? { typed: productIn(formOfQuery(query)), reason: "" } : null
  const notice = doneNotice(query, params.pid)
  return productPage(context, params.pid, { notice, typed })
}

export async function action({ request, context, params: { pid } }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const form = await formOf(request)
  if (form.get("action") === "remove-product") return removed(context, pid, form)
  const found = await productIfAny(context, pid)
  if (!found) return goneProduct(context, pid, form)
  const { catalogue, present, place } = found
  const address = `${PATH}/products/${encodeURIComponent(pid)}`
  if (form.has("preview")) {
    const query = typedQuery(form)
    query.set("product", pid)
    return redirect(`${PATH}/preview?${query}`, 303)
  }
  const typed = productIn(form)
  const asked = changeFormIn(form)
  const to = withProduct(present.content, place, typed)
  const outcome = await changeCatalogue(services, actor, {
    catalogue,
    present,
    form: asked,
    subject: `product ${pid}`,
    to,
  })
  if (outcome.kind === "repeated") return sentBefore(address)
  if (outcome.kind === "done") return redirect(`${address}?${doneQuery("edit-catalogue")}`, 303)
  const { list } = place
  const at = [list, to[list].findIndex((it) => it.pid === pid)]
  const notice = problemNotice(outcome, (it) => catalogueProblemText(it, { content: to, at }))
  return productPage(context, pid, { notice, typed: { typed, reason: asked.reason } })
}

/** The product was removed since its form was opened: what was typed is offered as a new one, in the list that has such a field. */
function goneProduct(context: RouteContext, pid: string, form: FormData): Promise<Response> {
  const typed = { ...productIn(form), pid, payType: "recurring", source: "" }
  const notice: ActionNotice = { kind: "bad", text: t("catalogue.gone.product") }
  const list = form.has("credits") ? "resellerPlans" : "plans"
  return newProductPage(context, list, {
    notice,
    typed: { typed, reason: changeFormIn(form).reason },
    source: "",
  })
}

/** A form that is sent twice finds no product any more. */
async function removed(context: RouteContext, pid: string, form: FormData): Promise<Response> {
  const { services, actor } = consoleRequest(context)
  const { catalogue, present } = await presentCatalogue(context)
  const asked = changeFormIn(form)
  const removal = { catalogue, present, form: asked, subject: `product ${pid}`, pid }
  const outcome = await removeProduct(services, actor, removal)
  if (outcome.kind === "repeated") return sentBefore(PATH)
  if (outcome.kind === "done") return redirect(`${PATH}?removed`, 303)
  if (!placeOf(present.content, pid)) return redirect(`${PATH}?gone`, 303)
  const notice = problemNotice(outcome, (it) =>
    catalogueProblemText(it, { content: present.content, at: [] }),
  )
  return productPage(context, pid, { notice, typed: null, removal: asked })
}

/** Null for an unknown product. Throws 404 with external billing. */
async function productIfAny(context: RouteContext, pid: string) {
  const { catalogue, present } = await presentCatalogue(context)
  const place = placeOf(present.content, pid)
  const product = place && present.content[place.list][place.index]
  return place && product ? { catalogue, present, place, product } : null
}

/** Throws 404 for an unknown product, and with external billing. */
async function productOf(context: RouteContext, pid: string) {
  const found = await productIfAny(context, pid)
  if (!found) throw new Response(null, { status: 404 })
  return found
}

type Shown = {
  readonly notice: ActionNotice | null
  readonly typed: { readonly typed: TypedProduct; readonly reason: string } | null
  /** The form that removes it, if it was refused. */
  readonly removal?: { readonly reason: string }
}

async function productPage(
  context: RouteContext,
  pid: string,
  { notice, typed, removal }: Shown,
): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const { catalogue, present, place, product } = await productOf(context, pid)
  const schedules = present.products
    .filter(({ id }) => id === pid)
    .flatMap((it) => shownSchedules(it, session.role))
  return consolePage(
    context,
    { title: product.name, path: PATH, notice },
    <CatalogueProductScreen
      products={present.products}
      pid={pid}
      schedules={schedules}
      timeZone={services.shop.timeZone}
      options={present.content.configoptions}
      places={present.content[place.list].length}
      mayEdit={mayDo(session.role, "edit-catalogue")}
      value={typed?.typed ?? typedProduct(product, place.index)}
      seen={String(present.latest)}
      formKey={newFormKey(services, session)}
      proof={proofAsked(context, notice)}
      notice={notice}
      refused={typed}
      refusedRemoval={removal ?? null}
      isSold={await catalogue.isSold(pid)}
      removalKey={newFormKey(services, session)}
    />,
  )
}
