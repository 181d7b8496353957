import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { mayDo } from "~/domain/operators/operator"
import { blockKey } from "~/domain/orders/fraud"
import { newFormKey } from "~/flows/admin/form-key.server"
import {
  type BlockForm,
  blockActions,
  blockByForm,
  blockKindIn,
  isBlockAction,
  listBlocked,
} from "~/flows/admin/manage-blocks.server"
import { formOf, textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { BlocksScreen } from "~/ui/admin/blocks-screen.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import type { Route } from "./+types/blocks"
import { sentKeyIn } from "./action-form.server"
import { problemNotice, sentBefore } from "./action-notice.server"
import { doneNotice, doneQuery } from "./done-notice.server"

const PATH = "/admin/blocks"
const LISTED = 100

/** What is blocked: its new orders are held. */
export function loader({ context, url }: Route.LoaderArgs) {
  const notice = doneNotice(url.searchParams)
  return blocksPage(context, url, { notice, typed: null })
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const form = formIn(await formOf(request))
  if (!form) return redirect(PATH, 303)
  const outcome = await blockByForm(services, actor, form)
  if (outcome.kind === "repeated") return sentBefore(PATH)
  if (outcome.kind === "done") return redirect(`${PATH}?${doneQuery(form.action)}`, 303)
  const notice = problemNotice(outcome, (it) => t(`blocks.problems.${it}`))
  return blocksPage(context, url, { notice, typed: form })
}

/** Null for a form that no page of ours has. */
function formIn(form: FormData): BlockForm | null {
  const action = textIn(form, "action")
  if (!isBlockAction(action)) return null
  const value = textIn(form, "value").trim()
  return { action, value, reason: textIn(form, "reason").trim(), formKey: sentKeyIn(form) }
}

type Shown = { readonly notice: ActionNotice | null; readonly typed: BlockForm | null }

async function blocksPage(
  context: RouteContext,
  { searchParams }: URL,
  { notice, typed }: Shown,
): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const filter = { kind: searchParams.get("kind") ?? "", text: searchParams.get("value") ?? "" }
  const { blocks, isCut } = await listBlocked(
    services.console.customers,
    { kind: blockKindIn(filter.kind), text: filter.text },
    { limit: LISTED, role: session.role },
  )
  return consolePage(
    context,
    { title: t("blocks.title"), path: PATH, notice },
    <BlocksScreen
      filter={filter}
      blocks={blocks.map((it) => ({ ...it, key: blockKey(it) }))}
      isCut={isCut}
      actions={blockActions.filter((it) => mayDo(session.role, it))}
      newKey={() => newFormKey(services, session)}
      notice={notice}
      typed={typed}
      timeZone={services.shop.timeZone}
    />,
  )
}
