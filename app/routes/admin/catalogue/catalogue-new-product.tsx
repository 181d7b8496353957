import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import { addProduct, withNewProduct } from "~/flows/admin/catalogue/manage-catalogue.server"
import { formOf } from "~/http/form.server"
import { changeFormIn } from "../action-form.server"
import { problemNotice, sentBefore } from "../action-notice.server"
import { doneQuery } from "../done-notice.server"
import type { Route } from "./+types/catalogue-new-product"
import {
  catalogueProblemText,
  formOfQuery,
  newProductIn,
  presentCatalogue,
  productListIn,
  typedQuery,
} from "./catalogue-form.server"
import { newProductPage } from "./new-product-page.server"

const PATH = "/admin/catalogue"

/** The form of a new product: empty, with what another one has (`from`), or as the preview leads back to it. */
export function loader({ context, url: { searchParams: query } }: Route.LoaderArgs) {
  const list = productListIn(query.get("list"))
  const typed = query.has("name") ? { typed: newProductIn(formOfQuery(query)), reason: "" } : null
  return newProductPage(context, list, { notice: null, typed, source: query.get("from") ?? "" })
}

export async function action({ request, context }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const { catalogue, present } = await presentCatalogue(context)
  const form = await formOf(request)
  const list = productListIn(form.get("list"))
  if (form.has("preview")) {
    const query = typedQuery(form)
    query.set("new", list)
    return redirect(`${PATH}/preview?${query}`, 303)
  }
  const typed = newProductIn(form)
  const asked = changeFormIn(form)
  const pid = typed.pid.trim()
  const to = withNewProduct(present.content, list, typed)
  const subject = `product ${pid}`
  const outcome = await addProduct(services, actor, { catalogue, present, form: asked, subject, pid, to })
  if (outcome.kind === "done")
    return redirect(`${PATH}/products/${encodeURIComponent(pid)}?${doneQuery("add-product")}`, 303)
  if (outcome.kind === "repeated") return sentBefore(PATH)
  const at = [list, to[list].findIndex((it) => it.pid === pid)]
  const notice = problemNotice(outcome, (it) => catalogueProblemText(it, { content: to, at }))
  const { reason } = asked
  return newProductPage(context, list, { notice, typed: { typed, reason }, source: typed.source })
}
