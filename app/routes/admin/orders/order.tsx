import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import type { QuoteLine } from "~/domain/catalogue/pricing"
import { mayDo, needsProof } from "~/domain/operators/operator"
import { isOrderAction, orderActions, orderActionsFor } from "~/domain/orders/order-actions"
import {
  type Decided,
  decideOnRequest,
  isDecision,
  type RequestDecision,
} from "~/flows/admin/approvals/decide-on-request.server"
import { openRequests } from "~/flows/admin/approvals/open-requests.server"
import { newFormKey } from "~/flows/admin/form-key.server"
import { actOnOrder, type OrderForm, type OrderOutcome } from "~/flows/admin/orders/act-on-order.server"
import {
  type OrderView,
  orderView,
  seenOf,
  seenWithMails,
  wholeTimeline,
} from "~/flows/admin/orders/order-page.server"
import { refundWays } from "~/flows/admin/orders/refund-order.server"
import { formOf, textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { amountText } from "~/ui/admin/amount-text.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { OrderScreen } from "~/ui/admin/orders/order-screen.server"
import { changeFormIn } from "../action-form.server"
import { problemNotice, proofAsked, sentBefore } from "../action-notice.server"
import { type Done, doneNotice, doneQuery } from "../done-notice.server"
import type { Route } from "./+types/order"
import { timelineTexts } from "./timeline-texts.server"

/** An order with all that has happened to it, and what its state allows. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { services, session } = consoleRequest(context)
  const view = await orderView(services, params.number, session.role)
  if (!view) throw new Response(null, { status: 404 })
  return orderPage(context, view, { notice: doneNotice(url.searchParams, view.order.id), form: null })
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { services, session, actor } = consoleRequest(context)
  const form = orderFormIn(await formOf(request))
  const address = `/admin/orders/${encodeURIComponent(params.number)}`
  if (!form) return redirect(address, 303)
  const outcome = await outcomeOf(form, { services, actor, number: params.number })
  if (outcome.kind === "waits") return redirect(`${address}?waits`, 303)
  if (outcome.kind === "repeated") return sentBefore(address)
  if (outcome.kind === "done") return redirect(`${address}?${doneQuery(doneBy(form), outcome)}`, 303)
  const view = await orderView(services, params.number, session.role)
  if (outcome.kind === "no-such-order" || !view) throw new Response(null, { status: 404 })
  return orderPage(context, view, { notice: noticeFor(outcome), form })
}

type SentForm = Omit<OrderForm, "action"> & { readonly action: OrderForm["action"] | RequestDecision }
type Sent = Pick<ReturnType<typeof consoleRequest>, "services" | "actor"> & { readonly number: string }

type Outcome = Decided<OrderOutcome>

function outcomeOf({ action, ...form }: SentForm, { services, actor, number }: Sent): Promise<Outcome> {
  return isDecision(action)
    ? decideOnRequest(services, actor, { number, form: { ...form, action } })
    : actOnOrder(services, actor, { number, form: { ...form, action } })
}

/** What a form has done, as the page says it. */
function doneBy({ action, throughGateway, toCredit }: SentForm): Done {
  if (action === "add-tag" || action === "remove-tag") return "change-tags"
  if (action !== "refund-order" || throughGateway) return action
  return toCredit ? "refund-to-credit" : "refund-by-hand"
}

type Undone = Exclude<Outcome, { kind: "done" | "waits" | "repeated" | "no-such-order" }>

function noticeFor(outcome: Undone): ActionNotice | null {
  return problemNotice(outcome, (it) => t(`order.problems.${it}`))
}

/** Null for a form that no page of ours has. */
function orderFormIn(form: FormData): SentForm | null {
  const name = textIn(form, "action")
  const action = actionIn(name)
  if (!action) return null
  return {
    action,
    ...changeFormIn(form),
    amount: textIn(form, "amount"),
    endsService: form.has("endService"),
    throughGateway: textIn(form, "way") === "gateway",
    toCredit: textIn(form, "way") === "credit",
    address: textIn(form, "address").trim(),
    force: form.has("force"),
    target: textIn(form, "target"),
    text: textIn(form, "text"),
  }
}

function actionIn(name: string): SentForm["action"] | null {
  if (isDecision(name) || name === "add-note" || name === "add-tag" || name === "remove-tag") return name
  return isOrderAction(name) ? name : null
}

type Shown = { readonly notice: ActionNotice | null; readonly form: SentForm | null }

async function orderPage(context: RouteContext, view: OrderView, { notice, form }: Shown): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const key = () => newFormKey(services, session)
  return consolePage(
    context,
    { title: t("order.title", { number: view.order.id }), path: "/admin/orders", notice },
    <OrderScreen
      view={{ ...view, lines: view.order.lines.map(lineText), happened: wholeTimeline(view, timelineTexts) }}
      actions={orderActionsFor(session.role, view)}
      provenActions={orderActions.filter(needsProof)}
      refundWays={refundWays(services.gateways, view)}
      mayNote={mayDo(session.role, "add-note")}
      requests={await openRequests(services.console, view.approvals, session, services.now())}
      mayEndService={!services.hasExternalBilling && view.service?.orderId === view.order.id}
      isBilledElsewhere={services.hasExternalBilling}
      seen={seenOf(view)}
      seenWithMails={seenWithMails(view)}
      newKey={key}
      proof={proofAsked(context, notice)}
      notice={notice}
      typed={form}
      timeZone={services.shop.timeZone}
    />,
  )
}

/** "Basic €10.01". */
function lineText(line: QuoteLine): string {
  return `${nameOf(line)} ${amountText(line.amount)}`
}

function nameOf(line: QuoteLine): string {
  if (line.kind === "discount") return line.code
  if (line.kind === "accountCredit") return t("accounting.kinds.credit")
  if (line.kind === "invoiceRest") return t("order.invoiceRest")
  if (line.kind === "unusedTime") return t("order.unusedTime", { name: line.name })
  return line.kind === "moreConnections" ? `${line.quantity} × ${line.name}` : line.name
}
