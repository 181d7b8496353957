import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { mayDo } from "~/domain/operators/operator"
import { brandChanges } from "~/domain/shop/brand-changes"
import { newFormKey } from "~/flows/admin/form-key.server"
import { changeBrand, presentBrand } from "~/flows/admin/manage-brand.server"
import { formOf } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { BrandScreen } from "~/ui/admin/brand/brand-screen.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { changeFormIn } from "../action-form.server"
import { problemNotice, proofAsked, sentBefore } from "../action-notice.server"
import { doneNotice, doneQuery } from "../done-notice.server"
import { versionsShown } from "../version-pages.server"
import type { Route } from "./+types/brand"
import { brandProblemText } from "./brand-form.server"

const PATH = "/admin/brand"

/** Where brand and texts come from, the forms that change them, and the versions. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const notice = doneNotice(url.searchParams)
  return brandPage(context, { query: url.searchParams, notice, refused: null })
}

/** Goes back to the shop file. */
export async function action({ request, context }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const form = changeFormIn(await formOf(request))
  const present = await presentBrand(services.console.brand.versions)
  const outcome = await changeBrand(services, actor, {
    present,
    form,
    subject: "brand",
    target: { how: "reset" },
  })
  if (outcome.kind === "repeated") return sentBefore(PATH)
  if (outcome.kind === "done") return redirect(`${PATH}?${doneQuery("reset-brand")}`, 303)
  const notice = problemNotice(outcome, brandProblemText)
  return brandPage(context, { query: new URLSearchParams(), notice, refused: form })
}

type Shown = {
  readonly query: URLSearchParams
  readonly notice: ActionNotice | null
  readonly refused: { readonly reason: string } | null
}

async function brandPage(context: RouteContext, { query, notice, refused }: Shown): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const source = services.console.brand.versions
  const [{ latest, content }, versions] = await Promise.all([
    presentBrand(source),
    versionsShown(context, { subject: "brand", source, query }),
  ])
  return consolePage(
    context,
    { title: t("brand.title"), path: PATH, notice },
    <BrandScreen
      version={latest}
      content={content}
      resetting={brandChanges(content, {})}
      {...versions}
      mayReset={mayDo(session.role, "reset-brand")}
      formKey={newFormKey(services, session)}
      proof={proofAsked(context, notice)}
      notice={notice}
      refused={refused}
      timeZone={services.shop.timeZone}
    />,
  )
}
