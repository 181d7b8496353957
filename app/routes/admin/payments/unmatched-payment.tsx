import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { mayDo, needsProof } from "~/domain/operators/operator"
import { isUnmatchedAction, unmatchedActions, unmatchedAllows } from "~/domain/payments/unmatched-payment"
import { newFormKey } from "~/flows/admin/form-key.server"
import {
  actOnUnmatched,
  seenOfUnmatched,
  type UnmatchedForm,
  unmatchedShownTo,
} from "~/flows/admin/payments/unmatched-payments.server"
import { formOf, textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { UnmatchedPaymentScreen } from "~/ui/admin/payments/unmatched-payment-screen.server"
import { changeFormIn } from "../action-form.server"
import { problemNotice, proofAsked, sentBefore } from "../action-notice.server"
import { doneNotice, doneQuery } from "../done-notice.server"
import type { Route } from "./+types/unmatched-payment"

const PATH = "/admin/unmatched-payments"

/** A payment that matches no order, and what an operator may do with it. */
export function loader({ context, params, url }: Route.LoaderArgs) {
  const notice = doneNotice(url.searchParams, params.id)
  return paymentPage(context, params.id, { notice, typed: null })
}

export async function action({ request, context, params: { id } }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const form = formIn(await formOf(request))
  const address = `${PATH}/${encodeURIComponent(id)}`
  if (!form) return redirect(address, 303)
  const outcome = await actOnUnmatched(services, actor, { id, form })
  if (outcome.kind === "no-such-payment") throw new Response(null, { status: 404 })
  if (outcome.kind === "waits") return redirect(`${address}?waits`, 303)
  if (outcome.kind === "repeated") return sentBefore(address)
  if (outcome.kind === "done") return redirect(`${address}?${doneQuery(form.action)}`, 303)
  const notice = problemNotice(outcome, (it) => t(`unmatched.problems.${it}`))
  return paymentPage(context, id, { notice, typed: form })
}

/** Null for a form that no page of ours has. */
function formIn(form: FormData): UnmatchedForm | null {
  const action = textIn(form, "action")
  if (!isUnmatchedAction(action)) return null
  return {
    action,
    ...changeFormIn(form),
    reference: textIn(form, "reference").trim(),
    order: textIn(form, "order").trim(),
    customer: textIn(form, "customer").trim(),
    amount: textIn(form, "amount").trim(),
  }
}

type Shown = { readonly notice: ActionNotice | null; readonly typed: UnmatchedForm | null }

async function paymentPage(context: RouteContext, id: string, { notice, typed }: Shown): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const payment = await services.console.unmatched.find(id)
  if (!payment) throw new Response(null, { status: 404 })
  const { role } = session
  return consolePage(
    context,
    { title: t("unmatched.payment"), path: PATH, notice },
    <UnmatchedPaymentScreen
      payment={unmatchedShownTo(role, payment)}
      actions={unmatchedActions.filter((it) => mayDo(role, it) && unmatchedAllows(payment, it))}
      provenActions={unmatchedActions.filter(needsProof)}
      seen={seenOfUnmatched(payment)}
      newKey={() => newFormKey(services, session)}
      proof={proofAsked(context, notice)}
      notice={notice}
      typed={typed}
      timeZone={services.shop.timeZone}
    />,
  )
}
