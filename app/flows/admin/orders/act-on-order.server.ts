import { isRefusedByBilling } from "~/billing/billing"
import type { ConsoleServices } from "~/context/services.server"
import { includes } from "~/domain/includes"
import type { Money } from "~/domain/money/money"
import { typedAmount, typedMinor } from "~/domain/money/typed-amount"
import { approvedActions } from "~/domain/operators/approval"
import type { OperatorAction, OperatorRole } from "~/domain/operators/operator"
import type { Order } from "~/domain/orders/order"
import { isOrderAction, isRetryable, type OrderAction, orderActionsFor } from "~/domain/orders/order-actions"
import { noteIn, tagIn } from "~/domain/orders/order-notes"
import { outstanding } from "~/domain/orders/settlement"
import { OPERATOR_REFERENCE } from "~/domain/orders/timeline"
import { waivableRest } from "~/domain/orders/waived-rest"
import { refuseOrder, releaseOrder } from "~/flows/checkout/held-order.server"
import { type Decided, decideByOperator } from "~/flows/payments/decide-by-operator.server"
import { pollOpenAttempts } from "~/flows/payments/poll-gateway.server"
import { waiveRest } from "~/flows/payments/waive-rest.server"
import { askForApproval, type MoneyRequest } from "../ask-for-approval.server"
import type { SentKey } from "../form-key.server"
import {
  type ActionOutcome,
  type Actor,
  type FormProblem,
  runOperatorForm,
} from "../run-operator-action.server"
import { isSeen, type OrderView, orderView } from "./order-page.server"
import {
  type GatewayRefundRequest,
  isRefundable,
  refundOrder,
  refundRefusal,
  refundThroughGateway,
} from "./refund-order.server"

/** A form of an order's page. */
export type OrderForm = {
  readonly action: OrderAction | "add-note" | "add-tag" | "remove-tag"
  readonly reason: string
  readonly formKey: SentKey
  readonly proof: { readonly password: string; readonly code: string }
  /** What the operator had seen, see `seenOf` and `seenWithMails`. */
  readonly seen: string
  /** Amount of a refund, as typed. */
  readonly amount: string
  readonly endsService: boolean
  /** The gateway pays the refund; otherwise the operator has paid it, or the customer gets it as account credit. */
  readonly throughGateway: boolean
  readonly toCredit: boolean
  /** Where the buyer wants the refund; empty: nowhere. */
  readonly address: string
  /** Decide even if a gateway does not respond, or a payment is in progress. */
  readonly force: boolean
  /** The message to send again, or the job. */
  readonly target: string
  /** Text of a note, or a tag. */
  readonly text: string
}

/** Why an action had no effect. */
export type OrderProblem =
  | "reason-missing"
  | "amount-invalid"
  | "text-invalid"
  /** The order has changed since the page was opened: its new state has to be seen first. */
  | "changed"
  | "not-allowed"
  | "too-much"
  | "elsewhere"
  | "not-its-service"
  | "whole-only"
  | "address-missing"
  | "no-gateway-refunds"
  | "refund-under-way"
  | "no-answer"
  | "under-way"
  | "no-credits"
  | "no-effect"

export type OrderOutcome =
  | Exclude<ActionOutcome<never>, { kind: "done" }>
  /** `amount`: what was moved; null for an action that moves no money. */
  | { readonly kind: "done"; readonly amount: Money | null }
  /** The amount waits for a second operator. */
  | { readonly kind: "waits" }
  | FormProblem<OrderProblem>
  | { readonly kind: "no-such-order" }

/** Does what a form of an order's page asks for, if its state still allows it, and writes the audit log. */
export async function actOnOrder(
  services: ConsoleServices,
  actor: Actor,
  { number, form }: { readonly number: string; readonly form: OrderForm },
): Promise<OrderOutcome> {
  const view = await orderView(services, number, actor.session.role)
  if (!view) return { kind: "no-such-order" }
  const request = {
    action: auditedAs(form),
    subject: `order ${view.order.id}`,
    reason: form.reason,
    formKey: form.formKey,
    proof: form.proof,
    problem: problemOf(view, form, actor.session.role) ?? refusalOf(services, view, form),
  }
  const outcome = await runOperatorForm(services, actor, request, async () => {
    const waits = await waitsFor({ services, actor, view, form })
    if (waits) return { after: { waits: waits.id }, value: "waits" as const }
    const value = await actions[form.action]({ services, actor, view, form })
    const after = await services.billing.order(view.order.id)
    return {
      before: stateOf(view.order),
      after: { ...stateOf(after ?? view.order), ...refundIn(form), result: value ?? "done" },
      value,
    }
  })
  if (outcome.kind !== "done") return outcome
  if (outcome.value === "waits") return { kind: "waits" }
  if (outcome.value !== null) return { kind: "problem", problem: outcome.value }
  return { kind: "done", amount: amountOf(view, form) }
}

/** The request that waits for a second operator; null if the action needs none, or cannot be done anyway. */
async function waitsFor({ services, actor, view, form }: ActionInput) {
  const amount = amountOf(view, form)
  if (!amount || !includes(approvedActions, form.action)) return null
  const request: MoneyRequest = {
    id: services.newId(),
    action: form.action,
    amount,
    reason: form.reason,
    endsService: form.endsService,
    force: form.force,
    throughGateway: form.throughGateway,
    toCredit: form.toCredit,
    address: addressIn(form),
  }
  const { operatorId, email: operator } = actor.session
  return askForApproval(services.console, view, request, { operatorId, operator, at: services.now() })
}

/** What an action moves; null for one that moves no money, or more than there is. */
function amountOf(view: OrderView, form: OrderForm) {
  if (form.action === "mark-order-paid") return outstanding(view.order)
  if (form.action === "waive-rest") return waivableRest(view.order)
  const amount = form.action === "refund-order" ? typedAmount(form.amount, view.order.total.currency) : null
  const isLeft = amount !== null && isRefundable(view, amount.minor, form)
  return isLeft && amount.minor > 0 ? amount : null
}

/** Why a refund is not done whoever confirms it; null for other actions, and for an amount that cannot be read. */
function refusalOf({ gateways }: ConsoleServices, view: OrderView, form: OrderForm): OrderProblem | null {
  const amount = form.action === "refund-order" ? typedAmount(form.amount, view.order.total.currency) : null
  if (!amount?.minor) return null
  return refundRefusal(gateways, view, { ...form, amount, address: addressIn(form) })?.kind ?? null
}

function auditedAs({ action }: OrderForm): OperatorAction {
  return action === "add-tag" || action === "remove-tag" ? "change-tags" : action
}

function stateOf({ status, decision, received, credited }: Order) {
  return { status, decision, received: received.minor, credited: credited.minor, currency: received.currency }
}

/** What a refund is about: one without a payment changes no amount of the order's state. */
function refundIn({ action, amount, toCredit }: OrderForm) {
  return action === "refund-order" ? { refund: typedMinor(amount), toCredit } : {}
}

function problemOf(view: OrderView, form: OrderForm, role: OperatorRole): OrderProblem | null {
  if (isOrderAction(form.action)) return stateProblemOf(view, { ...form, action: form.action }, role)
  const text = form.action === "add-note" ? noteIn(form.text) : tagIn(form.text)
  return text === null ? "text-invalid" : null
}

function stateProblemOf(
  view: OrderView,
  form: OrderForm & { readonly action: OrderAction },
  role: OperatorRole,
): OrderProblem | null {
  const { action, reason } = form
  if (!isSeen(view, form)) return "changed"
  if (action !== "poll-order" && reason === "") return "reason-missing"
  return orderActionsFor(role, view).includes(action) ? null : "not-allowed"
}

type ActionInput = {
  readonly services: ConsoleServices
  readonly actor: Actor
  readonly view: OrderView
  readonly form: OrderForm
}

/** Does an action; returns why it had no effect, or null. */
type RunAction = (doing: ActionInput) => Promise<OrderProblem | null>

const actions: Readonly<Record<OrderForm["action"], RunAction>> = {
  async "poll-order"({ services, view }) {
    const polled = await pollOpenAttempts(services, view.order.id, { force: true })
    return polled.some(({ outcome: { kind } }) => kind === "no-answer" || kind === "no-gateway")
      ? "no-answer"
      : null
  },
  "mark-order-paid": (doing) => decide(doing, "paid"),
  async "waive-rest"({ services, view, form: { reason, force } }) {
    const rest = waivableRest(view.order)
    if (!rest) return "no-effect"
    const waiving = { ...services, orders: services.console.orders }
    return undoneBy(services, await waiveRest(waiving, view.order.id, { rest, reason, force }))
  },
  "cancel-order": (doing) => decide(doing, "aborted"),
  "release-order": ({ services, view, form }) =>
    held(releaseOrder(services, view.order.id, referenceOf(form))),
  "refuse-order": ({ services, view, form }) => held(refuseOrder(services, view.order.id, referenceOf(form))),
  async "refund-order"({ services, view, form }) {
    const { id, total } = view.order
    const amount = typedAmount(form.amount, total.currency)
    if (!amount?.minor) return "amount-invalid"
    const refund = {
      key: form.formKey.key,
      amount,
      reason: form.reason,
      at: services.now(),
      endsService: form.endsService,
      refundedBefore: view.refunded.minor,
    }
    if (form.throughGateway) return sendBack(services, id, { ...refund, address: addressIn(form) })
    const recorded = { ...refund, toCredit: form.toCredit }
    const outcome = await refundOrder(services.console.orders, id, recorded)
    if (outcome.kind === "refunded") return null
    return outcome.kind === "no-such-order" ? "no-effect" : outcome.kind
  },
  async "retry-job"({ services, view }) {
    const ids = view.jobs.filter(isRetryable).map(({ id }) => id)
    const count = await services.console.orders.retryJobs(ids, services.now())
    services.wakeJobs()
    return count === 0 ? "no-effect" : null
  },
  async "discard-job"({ services, view, form }) {
    const isOfOrder = view.jobs.some(({ id }) => id === form.target)
    return isOfOrder && (await services.console.orders.discardJob(form.target)) ? null : "no-effect"
  },
  async "dismiss-refund"({ services, view, form }) {
    const isOfOrder = view.gatewayRefunds.some(({ id }) => id === form.target)
    return isOfOrder && (await services.refunds.dismiss(form.target)) ? null : "no-effect"
  },
  // What an operator has decided is its entry in the audit log, and changes nothing else.
  "dismiss-chargeback": async () => null,
  async "resend-mail"({ services, view, form }) {
    const isOfOrder = view.mails.some(({ id }) => id === form.target)
    if (!isOfOrder) return "no-effect"
    const isSent = await services.console.mail.resendMail(form.target, services.now())
    services.wakeJobs()
    return isSent ? null : "no-effect"
  },
  async "add-note"({ services, actor, view, form }) {
    const note = { text: noteIn(form.text) ?? "", operator: actor.session.email, at: services.now() }
    await services.console.orders.addOrderNote(view.order.id, note)
    return null
  },
  async "add-tag"({ services, actor, view, form }) {
    const tag = { tag: tagIn(form.text) ?? "", operator: actor.session.email, at: services.now() }
    await services.console.orders.addOrderTag(view.order.id, tag)
    return null
  },
  async "remove-tag"({ services, view, form }) {
    await services.console.orders.removeOrderTag(view.order.id, tagIn(form.text) ?? "")
    return null
  },
}

/** Its id is the gateway's key for the refund, which holds no signature of a form. */
async function sendBack(
  services: ConsoleServices,
  orderId: string,
  refund: GatewayRefundRequest,
): Promise<OrderProblem | null> {
  const sending = { ...services, orders: services.console.orders }
  const { kind } = await refundThroughGateway(sending, orderId, { ...refund, key: services.newId() })
  services.wakeJobs()
  if (kind === "begun" || kind === "repeated") return null
  return kind === "no-such-order" ? "no-effect" : kind
}

function addressIn({ address }: OrderForm): string | null {
  return address === "" ? null : address
}

function referenceOf({ reason }: OrderForm): string {
  return `${OPERATOR_REFERENCE}${reason}`
}

const undecided = ["no-answer", "under-way", "refund-under-way"] as const

async function decide(
  { services, view, form }: ActionInput,
  event: "paid" | "aborted",
): Promise<OrderProblem | null> {
  const { reason, force } = form
  return undoneBy(services, await decideByOperator(services, view.order.id, { event, reason, force }))
}

/** Why a decision had no effect; null: it had. */
function undoneBy({ wakeJobs }: ConsoleServices, { kind }: Decided): OrderProblem | null {
  if (kind !== "done") return includes(undecided, kind) ? kind : "no-effect"
  wakeJobs()
  return null
}

/** `refused`: the reseller has no credits left for the line. */
async function held(deciding: Promise<{ readonly kind: string } | null>): Promise<OrderProblem | null> {
  try {
    const decided = await deciding
    return decided === null || decided.kind === "not-held" ? "no-effect" : null
  } catch (error) {
    if (isRefusedByBilling(error)) return "no-credits"
    throw error
  }
}
