import { type RouterContextProvider, redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import { mayDo } from "~/domain/operator"
import {
  addProduct,
  newTypedProduct,
  type ProductList,
  type TypedNewProduct,
  withNewProduct,
} from "~/flows/admin/catalogue/manage-catalogue.server"
import { newFormKey } from "~/flows/admin/form-key.server"
import { formOf } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { CatalogueNewProductScreen } from "~/ui/admin/catalogue/catalogue-new-product-screen.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { changeFormIn } from "../action-form.server"
import { problemNotice, proofAsked, sentBefore } from "../action-notice.server"
import type { Route } from "./+types/catalogue-new-product"
import {
  catalogueProblemText,
  formOfQuery,
  newProductIn,
  presentCatalogue,
  productListIn,
  typedQuery,
} from "./catalogue-form.server"

type Context = Readonly<RouterContextProvider>

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
  if (outcome.kind === "done") return redirect(`${PATH}/products/${encodeURIComponent(pid)}?done`, 303)
  if (outcome.kind === "repeated") return sentBefore(PATH)
  const at = [list, to[list].findIndex((it) => it.pid === pid)]
  const notice = problemNotice(outcome, (it) => catalogueProblemText(it, { content: to, at }))
  const { reason } = asked
  return newProductPage(context, list, { notice, typed: { typed, reason }, source: typed.source })
}

type Shown = {
  readonly notice: ActionNotice | null
  readonly typed: { readonly typed: TypedNewProduct; readonly reason: string } | null
  readonly source: string
}

async function newProductPage(
  context: Context,
  list: ProductList,
  { notice, typed, source }: Shown,
): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const { present } = await presentCatalogue(context)
  return consolePage(
    context,
    {
      title: t(`catalogue.new.${list}`),
      path: PATH,
      notice,
    },
    <CatalogueNewProductScreen
      list={list}
      options={present.content.configoptions}
      places={present.content[list].length + 1}
      mayEdit={mayDo(session.role, "edit-catalogue")}
      value={typed?.typed ?? newTypedProduct(present.content, list, source)}
      seen={String(present.latest)}
      formKey={newFormKey(services, session)}
      proof={proofAsked(context, notice)}
      notice={notice}
      reason={typed?.reason ?? ""}
    />,
  )
}
