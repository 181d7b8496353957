import { data, redirect } from "react-router"
import { affiliateContext } from "~/context/affiliate.server"
import { localeContext } from "~/context/locale.server"
import { pricingContext } from "~/context/pricing.server"
import { botContext, requestContext } from "~/context/request.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import {
  type CheckoutSession,
  sessionContext,
  updateSession,
  withAccountCurrency,
  withOrder,
} from "~/context/session.server"
import { statusOf } from "~/domain/error-kind"
import { CreatingOrderForm } from "~/domain/forms/checkout-form"
import type { Money } from "~/domain/money/money"
import { orderPath, pathOf } from "~/domain/orders/screen-paths"
import { limitOrders } from "~/flows/checkout/limit-orders.server"
import { type Placement, placeOrder } from "~/flows/checkout/place-order.server"
import { suggestEmail } from "~/flows/checkout/suggest-email.server"
import { openPayment } from "~/flows/payments/open-payment.server"
import { retryAfter } from "~/http/retry-after.server"
import { submitted } from "~/http/submitted-form.server"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import { rateLimitSubject } from "~/middleware/rate-limit-subject.server"
import { changeOrder } from "../order/change-order.server"
import { askIfMore } from "../order/credit-view.server"
import { screenHref } from "../screen-href.server"
import { agreedDeclarations, checkoutHref, notOpened } from "./review-view.server"

/** Orders what was reviewed and leads to its payment, changes it, or returns why nothing was ordered. */
export async function handleReviewAction(form: FormData, context: RouteContext) {
  if (form.get("intent") === "edit") throw await changeOrder({ context })
  if (form.get("intent") === "email") throw acceptLikelyEmail(context)

  const services = context.get(servicesContext)
  const { choices, customer, draft, orderId } = context.get(sessionContext)
  // Without a key the form continues the session's order.
  const key = keyOf(form, { draft, orderId })
  const continued = key ?? orderId
  if (belongsToOtherDraft(form, key)) return data({ error: "other-draft" as const }, { status: 409 })
  const tried = await limitOrders(services, {
    ...rateLimitSubject(context),
    email: choices.email,
    key: continued,
  })
  if (!tried.ok) {
    const headers = retryAfter(tried.retryAfterSeconds)
    return data({ error: "too-many" as const }, { status: 429, headers })
  }
  const placement = await placeOrder(services, {
    declarations: agreedDeclarations(context),
    choices,
    customer,
    key,
    orderId,
    ...agreedIn(form, continued),
    pricing: context.get(pricingContext),
    locale: context.get(localeContext).code,
    address: context.get(requestContext).address,
    browser: context.get(sessionContext).visitor,
    affiliateId: context.get(affiliateContext),
    isBot: context.get(botContext),
  })
  return answerPlacement(placement, { context, form })
}

type Answered = { readonly context: RouteContext; readonly form: FormData }

/** Takes the address that the typed one is likely meant to be. With another address it is another order. */
function acceptLikelyEmail(context: RouteContext): Response {
  const { choices, draft } = context.get(sessionContext)
  const email = suggestEmail(choices.email)
  const key = context.get(servicesContext).newId()
  if (email !== null && draft !== null)
    updateSession(context, { choices: { ...choices, email }, draft: { ...draft, key } })
  return redirect(screenHref(context, pathOf.viewer.creatingOrder), 303)
}

/** What the buyer reads when billing takes no order. */
const refusals = { "customer-rejected": "email-rejected", "order-refused": "order-refused" } as const

type Refusal = Extract<Placement, { kind: keyof typeof refusals }>

function isRefusal(placement: Placement): placement is Refusal {
  return Object.hasOwn(refusals, placement.kind)
}

type CodeRefusal = Extract<Placement, { kind: "code-used" | "code-refused" }>

/** Shows the price without the code. */
function answerWithoutCode({ kind, quote }: CodeRefusal, context: RouteContext) {
  const { choices, draft } = context.get(sessionContext)
  const { minor: total } = quote.total
  updateSession(context, { draft: draft && { ...draft, total }, choices: { ...choices, promoCode: null } })
  const t = screenTexts(context.get(localeContext).code)
  const error = kind === "code-used" ? kind : { text: t("orderReview.codeRefused") }
  return data({ error }, { status: 409 })
}

async function answerPlacement(placement: Placement, { context, form }: Answered) {
  if (placement.kind === "rejected") throw redirect(checkoutHref(context), 303)
  if (isRefusal(placement)) return data({ error: refusals[placement.kind] }, { status: 409 })
  if (placement.kind === "price-changed") {
    agreeAgain(context, placement.quote.total)
    return data({ error: "price-changed" as const }, { status: 409 })
  }
  if (placement.kind === "credits-changed") {
    const { credits, total } = placement
    const { draft } = context.get(sessionContext)
    updateSession(context, { draft: draft && { ...draft, credits, total } })
    return data({ error: "credits-changed" as const }, { status: 409 })
  }
  if (placement.kind === "code-used" || placement.kind === "code-refused")
    return answerWithoutCode(placement, context)
  return leave({ context, form }, placement)
}

/** The price in the session that the buyer is shown next. It may be in another currency: the account's only one. */
function agreeAgain(context: RouteContext, { minor: total, currency }: Money): void {
  const pricing = context.get(pricingContext)
  const { draft } = context.get(sessionContext)
  updateSession(context, { draft: draft && { ...draft, total, currency }, currency })
  if (pricing.isOnlyCurrency)
    context.set(sessionContext, withAccountCurrency(context.get(sessionContext), currency))
  context.set(pricingContext, { ...pricing, currency })
}

/** Starts the payment and redirects to it; otherwise to the order's screen, which shows the reason. */
async function leave(
  { context, form }: Answered,
  { order, attempt }: Extract<Placement, { kind: "placed" }>,
) {
  const services = context.get(servicesContext)
  const session = context.get(sessionContext)
  context.set(sessionContext, withOrder(session, order))
  if (order.status === "fraud") {
    updateSession(context, { draft: null })
    throw redirect(screenHref(context, pathOf.viewer.creatingOrder), 303)
  }
  askIfMore(context, order, form)
  const { visitor, choices } = session
  const method = { gateway: order.gateway, coin: choices.coin, visitor, attempt }
  const opening = await openPayment(services, order, method)
  if (opening.kind === "not-opened") {
    const headers = retryAfter(opening.retryAfterSeconds)
    return data({ error: await notOpened(context, order) }, { status: statusOf[opening.error], headers })
  }
  if (opening.kind === "too-many") {
    const headers = retryAfter(opening.retryAfterSeconds)
    return data({ error: "too-many" as const }, { status: 429, headers })
  }
  // The draft stays, since the same purchase continues.
  if (opening.kind === "pending") throw redirect(screenHref(context, pathOf.viewer.creatingOrder), 303)
  // The key has been used; the order is found by its id from now on.
  updateSession(context, { draft: null })
  throw redirect(
    opening.kind === "opened" ? opening.url : screenHref(context, orderPath("success", order)),
    303,
  )
}

/** Idempotency key of the order; null if the form is that of the session's placed order, or there is no draft. */
function keyOf(form: FormData, { draft, orderId }: Pick<CheckoutSession, "draft" | "orderId">) {
  const isOfOrder = orderId !== null && form.get("draft") === orderId
  return isOfOrder ? null : (draft?.key ?? null)
}

/** Whether the form was shown for another selection than the one that the session has now: that of another tab. */
function belongsToOtherDraft(form: FormData, key: string | null): boolean {
  const sent = submitted(form, CreatingOrderForm)
  return key !== null && sent.status === "success" && sent.value.draft !== key
}

/** What the review step showed; the total is null if the form belongs to another draft or order. */
function agreedIn(form: FormData, draft: string | null) {
  const sent = submitted(form, CreatingOrderForm)
  if (sent.status !== "success" || sent.value.draft !== draft) return { agreedTotal: null }
  return { agreedTotal: sent.value.total, agreedCredits: sent.value.credits }
}
