import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { mayDo } from "~/domain/operators/operator"
import {
  newTypedProduct,
  type ProductList,
  type TypedNewProduct,
} from "~/flows/admin/catalogue/manage-catalogue.server"
import { newFormKey } from "~/flows/admin/form-key.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { CatalogueNewProductScreen } from "~/ui/admin/catalogue/catalogue-new-product-screen.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { proofAsked } from "../action-notice.server"
import { presentCatalogue } from "./catalogue-form.server"

const PATH = "/admin/catalogue"

type Shown = {
  readonly notice: ActionNotice | null
  readonly typed: { readonly typed: TypedNewProduct; readonly reason: string } | null
  readonly source: string
}

/** The form of a new product. `typed`: what it is filled in with; null: as a new one or a copy of `source` begins. */
export async function newProductPage(
  context: RouteContext,
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
