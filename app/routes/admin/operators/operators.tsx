import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { mayDo } from "~/domain/operators/operator"
import { newFormKey } from "~/flows/admin/form-key.server"
import {
  addOperatorByForm,
  type NewOperatorForm,
  operatorsShownTo,
} from "~/flows/admin/operators/manage-operators.server"
import { formOf, textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { InvitationScreen } from "~/ui/admin/operators/invitation-screen.server"
import { OperatorsScreen, type TypedOperator } from "~/ui/admin/operators/operators-screen.server"
import { actionFormIn } from "../action-form.server"
import { problemNotice, proofAsked, sentBefore } from "../action-notice.server"
import type { Route } from "./+types/operators"

const PATH = "/admin/operators"

/** The operators of the console, and a form to add one. */
export function loader({ context }: Route.LoaderArgs) {
  return operatorsPage(context, { notice: null, typed: null })
}

export async function action({ request, context }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const form = formIn(await formOf(request))
  const outcome = await addOperatorByForm(services, actor, form)
  // The link is shown in the answer to the form, since its token is stored as a hash only.
  if (outcome.kind === "done") {
    const view = { email: form.email.trim(), invitation: outcome.value, timeZone: services.shop.timeZone }
    return consolePage(
      context,
      { title: t("operators.linkTitle"), path: PATH },
      <InvitationScreen {...view} />,
    )
  }
  if (outcome.kind === "repeated") return sentBefore(PATH)
  const notice = problemNotice(outcome, (it) => t(`operators.problems.${it}`))
  return operatorsPage(context, { notice, typed: form })
}

function formIn(form: FormData): NewOperatorForm {
  return {
    email: textIn(form, "email"),
    role: textIn(form, "role"),
    ...actionFormIn(form),
  }
}

type Shown = { readonly notice: ActionNotice | null; readonly typed: TypedOperator | null }

async function operatorsPage(context: RouteContext, { notice, typed }: Shown): Promise<Response> {
  const { services, session } = consoleRequest(context)
  return consolePage(
    context,
    { title: t("operators.title"), path: PATH, notice },
    <OperatorsScreen
      operators={await operatorsShownTo(services, session)}
      ownId={session.operatorId}
      mayAdd={mayDo(session.role, "add-operator")}
      formKey={newFormKey(services, session)}
      proof={proofAsked(context, notice)}
      notice={notice}
      typed={typed}
      timeZone={services.shop.timeZone}
    />,
  )
}
