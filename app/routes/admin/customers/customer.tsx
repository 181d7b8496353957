import { redirect } from "react-router"
import type { CustomerDetails } from "~/billing/customers/customer-admin"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import { customerActions, customerActionsFor, isCustomerAction } from "~/domain/operators/customer-actions"
import { needsProof } from "~/domain/operators/operator"
import {
  type DecisionForm,
  decideOnCredit,
  isDecision,
} from "~/flows/admin/approvals/decide-on-request.server"
import { openRequests } from "~/flows/admin/approvals/open-requests.server"
import { actOnCustomer, type CustomerForm } from "~/flows/admin/customers/act-on-customer.server"
import {
  customerShopOf,
  customerView,
  seenOfCustomer,
  stateOfCustomer,
} from "~/flows/admin/customers/customer-page.server"
import { newFormKey } from "~/flows/admin/form-key.server"
import { formOf, textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { CustomerScreen, type TypedCustomerForm } from "~/ui/admin/customers/customer-screen.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { actionFormIn, changeFormIn } from "../action-form.server"
import { customerNotice, proofAsked, sentBefore } from "../action-notice.server"
import { doneNotice, doneQuery } from "../done-notice.server"
import type { Route } from "./+types/customer"

/** A customer with all that is stored, and what the state allows. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const customer = await customerOr404(context, params.id)
  const notice = doneNotice(url.searchParams, customer.email ?? customer.id)
  return customerPage(context, customer, { notice, typed: null })
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { services, actor } = consoleRequest(context)
  const sent = await formOf(request)
  const form = decisionIn(sent) ?? customerFormIn(sent)
  const address = `/admin/customers/${encodeURIComponent(params.id)}`
  if (!form) return redirect(address, 303)
  const outcome = isDecisionForm(form)
    ? await decideOnCredit(services, actor, { id: params.id, form })
    : await actOnCustomer(services, actor, { id: params.id, form })
  if (outcome.kind === "waits") return redirect(`${address}?waits`, 303)
  if (outcome.kind === "repeated") return sentBefore(address)
  if (outcome.kind === "done")
    return redirect(`${address}?${doneQuery(form.action, { amount: outcome.value })}`, 303)
  const customer = await customerOr404(context, params.id)
  return customerPage(context, customer, { notice: customerNotice(outcome), typed: form })
}

function isDecisionForm(form: CustomerForm | DecisionForm): form is DecisionForm {
  return isDecision(form.action)
}

/** Null for a form that decides on no request. */
function decisionIn(form: FormData): DecisionForm | null {
  const action = textIn(form, "action")
  if (!isDecision(action)) return null
  const { reason, formKey, proof } = actionFormIn(form)
  return { action, reason, formKey, proof, target: textIn(form, "target") }
}

/** Null for a form that no page of ours has. */
function customerFormIn(form: FormData): CustomerForm | null {
  const action = textIn(form, "action")
  if (!isCustomerAction(action) || action === "view-as-customer" || action === "export-customer") return null
  return {
    action,
    ...changeFormIn(form),
    amount: textIn(form, "amount"),
    currency: textIn(form, "currency"),
    email: textIn(form, "email"),
    target: textIn(form, "target"),
    force: form.has("force"),
  }
}

async function customerOr404(context: RouteContext, id: string): Promise<CustomerDetails> {
  const { services, session } = consoleRequest(context)
  const customer = await customerView(services, id, session.role)
  if (!customer) throw new Response(null, { status: 404 })
  return customer
}

type Shown = { readonly notice: ActionNotice | null; readonly typed: TypedCustomerForm | null }

async function customerPage(
  context: RouteContext,
  customer: CustomerDetails,
  { notice, typed }: Shown,
): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const asked = await services.console.approvals.ofCustomer(customer.id)
  const state = stateOfCustomer(customer)
  const shop = customerShopOf(services)
  return consolePage(
    context,
    { title: t("customer.title"), path: "/admin/customers", notice },
    <CustomerScreen
      customer={customer}
      isErased={state.isErased}
      actions={customerActionsFor(session.role, state, shop)}
      provenActions={customerActions.filter(needsProof)}
      requests={await openRequests(services.console, asked, session, services.now())}
      isElsewhere={shop.hasExternalBilling}
      seen={seenOfCustomer(customer)}
      newKey={() => newFormKey(services, session)}
      proof={proofAsked(context, notice)}
      notice={notice}
      typed={typed}
      timeZone={services.shop.timeZone}
    />,
  )
}
