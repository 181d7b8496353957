import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { mayDo } from "~/domain/operators/operator"
import type { TypedNewOption } from "~/flows/admin/catalogue/manage-catalogue.server"
import { newFormKey } from "~/flows/admin/form-key.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { CatalogueNewOptionScreen } from "~/ui/admin/catalogue/catalogue-new-option-screen.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { proofAsked } from "../action-notice.server"
import { newOptionIn, presentCatalogue } from "./catalogue-form.server"

const PATH = "/admin/catalogue"

type Shown = {
  readonly notice: ActionNotice | null
  readonly typed: { readonly typed: TypedNewOption; readonly reason: string } | null
}

/** The form of a new option. `typed`: what it is filled in with; null: nothing. */
export async function newOptionPage(context: RouteContext, { notice, typed }: Shown): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const { present } = await presentCatalogue(context)
  return consolePage(
    context,
    { title: t("catalogue.new.option"), path: PATH, notice },
    <CatalogueNewOptionScreen
      products={present.products}
      mayEdit={mayDo(session.role, "edit-catalogue")}
      value={typed?.typed ?? newOptionIn(new FormData())}
      seen={String(present.latest)}
      formKey={newFormKey(services, session)}
      proof={proofAsked(context, notice)}
      notice={notice}
      reason={typed?.reason ?? ""}
    />,
  )
}
