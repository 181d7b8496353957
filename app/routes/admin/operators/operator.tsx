import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { needsProof } from "~/domain/operators/operator"
import { accountActions, accountActionsFor, isAccountAction } from "~/domain/operators/operator-account"
import { newFormKey } from "~/flows/admin/form-key.server"
import {
  type AccountForm,
  actOnAccount,
  operatorAccount,
} from "~/flows/admin/operators/manage-operators.server"
import { formOf, textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { InvitationScreen } from "~/ui/admin/operators/invitation-screen.server"
import { OperatorScreen, type TypedAccountForm } from "~/ui/admin/operators/operator-screen.server"
import { changeFormIn } from "../action-form.server"
import { problemNotice, proofAsked, sentBefore } from "../action-notice.server"
import { doneNotice, doneQuery } from "../done-notice.server"
import type { Route } from "./+types/operator"

const PATH = "/admin/operators"

/** An operator's account: state, open sessions, and what an owner may do with it. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { operator } = await accountOr404(context, params.id)
  return operatorPage(context, params.id, {
    notice: doneNotice(url.searchParams, operator.email),
    typed: null,
  })
}

export async function action({ request, context, params: { id } }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const form = formIn(await formOf(request))
  const address = `${PATH}/${encodeURIComponent(id)}`
  if (!form) return redirect(address, 303)
  const outcome = await actOnAccount(services, actor, { id, form })
  if (outcome.kind === "no-such-operator") throw new Response(null, { status: 404 })
  if (outcome.kind === "repeated") return sentBefore(address)
  if (outcome.kind === "done") {
    if (form.action !== "reset-operator") return redirect(`${address}?${doneQuery(form.action)}`, 303)
    if (!outcome.value) return redirect(address, 303)
    const account = await accountOr404(context, id)
    const view = {
      email: account.operator.email,
      invitation: outcome.value,
      timeZone: services.shop.timeZone,
    }
    return consolePage(
      context,
      { title: t("operators.linkTitle"), path: PATH },
      <InvitationScreen {...view} />,
    )
  }
  const notice = problemNotice(outcome, (it) => t(`operators.problems.${it}`))
  return operatorPage(context, id, { notice, typed: form })
}

/** Null for a form that no page of ours has. */
function formIn(form: FormData): AccountForm | null {
  const action = textIn(form, "action")
  if (!isAccountAction(action)) return null
  return {
    action,
    ...changeFormIn(form),
  }
}

async function accountOr404(context: RouteContext, id: string) {
  const { services, session } = consoleRequest(context)
  const account = await operatorAccount(services, session, id)
  if (!account) throw new Response(null, { status: 404 })
  return account
}

type Shown = { readonly notice: ActionNotice | null; readonly typed: TypedAccountForm | null }

async function operatorPage(context: RouteContext, id: string, { notice, typed }: Shown): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const account = await accountOr404(context, id)
  return consolePage(
    context,
    { title: t("operators.operator"), path: PATH, notice },
    <OperatorScreen
      account={account}
      actions={accountActionsFor(session.role, account.state)}
      provenActions={accountActions.filter(needsProof)}
      newKey={() => newFormKey(services, session)}
      proof={proofAsked(context, notice)}
      notice={notice}
      typed={typed}
      timeZone={services.shop.timeZone}
    />,
  )
}
