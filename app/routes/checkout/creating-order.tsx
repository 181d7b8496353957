import { data, type RouterContextProvider, redirect, redirectDocument } from "react-router"
import { affiliateContext } from "~/context/affiliate.server"
import { localeContext } from "~/context/locale.server"
import { pricingContext } from "~/context/pricing.server"
import { botContext, requestContext } from "~/context/request.server"
import { servicesContext } from "~/context/services.server"
import {
  type CheckoutSession,
  sessionContext,
  updateSession,
  withAccountCurrency,
  withOrder,
} from "~/context/session.server"
import type { Choices } from "~/domain/choices"
import { countriesToConfirm } from "~/domain/country"
import { statusOf } from "~/domain/error-kind"
import { CreatingOrderForm } from "~/domain/forms/checkout-form"
import { hostOf } from "~/domain/host"
import type { Money } from "~/domain/money"
import type { Order } from "~/domain/order"
import { CREDIT_CHANGED, countryPath, LOST_CHOICES, orderPath, pathOf } from "~/domain/screen-paths"
import { limitOrders } from "~/flows/checkout/limit-orders.server"
import { type Placement, placeOrder } from "~/flows/checkout/place-order.server"
import { type Review, reviewOrder } from "~/flows/checkout/review-order.server"
import { suggestEmail } from "~/flows/checkout/suggest-email.server"
import { availableGateways } from "~/flows/payments/available-gateways.server"
import { openPayment } from "~/flows/payments/open-payment.server"
import { isForAnother } from "~/flows/services/accessible-services.server"
import { formOf } from "~/http/form.server"
import { retryAfter } from "~/http/retry-after.server"
import { submitted } from "~/http/submitted-form.server"
import { type ScreenTexts, screenTexts } from "~/i18n/load-screen-texts.server"
import { noStore } from "~/middleware/cache-control.server"
import { interstitial } from "~/middleware/interstitial.server"
import { otherReview } from "~/middleware/orders/other-selection.server"
import { redirections } from "~/middleware/orders/redirections.server"
import { buyingView } from "~/middleware/pricing/buying-view.server"
import { pricing } from "~/middleware/pricing/pricing.server"
import { rateLimitSubject } from "~/middleware/rate-limit-subject.server"
import type { PageHandle } from "~/ssr/document"
import { PendingScreen } from "~/ui/review/pending-screen"
import { ReviewScreen, type ReviewWords } from "~/ui/review/review-screen"
import { changeOrder } from "../order/change-order.server"
import { askIfMore } from "../order/credit-view.server"
import { declarationsOf, orderWords } from "../order/law-view.server"
import { noReloads, pageReloads } from "../page-reloads.server"
import { screenHref } from "../screen-href.server"
import type { Route } from "./+types/creating-order"

export const middleware: Route.MiddlewareFunction[] = [
  noStore,
  otherReview,
  redirections("creatingOrder"),
  pricing,
]
export const handle = {
  title: "title.creatingOrder",
  public: false,
  firstStyle: "purchase",
} satisfies PageHandle
export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders

export async function loader({ url, context }: Route.LoaderArgs) {
  const { choices, customer, draft, orderId } = context.get(sessionContext)
  const services = context.get(servicesContext)
  const { currency, buyer } = context.get(pricingContext)
  const review = await reviewOrder(services, {
    choices,
    customer,
    orderId,
    key: draft?.key,
    ...agreedOn(draft),
    currency,
    buyer,
  })
  if (review.kind === "pending") return pendingView(review, { url, context })
  if (review.kind === "held") throw heldScreen(review, { url, context })
  if (review.kind === "rejected") throw redirect(checkoutHref(context))
  askFirst(context, review.orderId)
  const { tax, ...shown } = review
  const t = screenTexts(context.get(localeContext).code)
  const error = review.orderId === null ? review.error : (askedIn(url) ?? review.error)
  return {
    ...shown,
    words: reviewWords(t, review),
    buying: await buyingView(context, {
      ...review.quote,
      tax,
      // A coin that is sent has no statement.
      gateway: choices.coin === null ? choices.gateway : null,
      isOpen: true,
      isCovered: !isDue(review),
      isForeign: await isOfAnother(context, review.orderId),
      credits: review.credits,
    }),
    orderButton: orderWords(context, choices),
    error: await shownError(context, error, review.orderId),
    likelyEmail: likelyEmailOf(review, choices),
    // A placed order may be another one than that of the draft, as a renewal beside a selection that was not ordered.
    draft: review.orderId ?? draft?.key ?? orderId ?? "",
    checkoutPath: orderPath("checkout", choices),
  }
}

/** The error of a review in words of the server, where it has them. */
async function shownError(
  context: Args["context"],
  error: ReturnType<typeof askedIn> | Reviewed["error"],
  orderId: string | null,
) {
  if (error === "credit-changed")
    return { text: screenTexts(context.get(localeContext).code)("orderReview.creditChanged") }
  if (error !== "payment-not-opened") return error
  const order = orderId === null ? null : await context.get(servicesContext).billing.order(orderId)
  return order && notOpened(context, order)
}

/** What the buyer reads whose payment could not be opened: the order is kept, and another method may work. */
async function notOpened(context: Args["context"], { id, gateway }: Pick<Order, "id" | "gateway">) {
  const services = context.get(servicesContext)
  const { code } = context.get(localeContext)
  const t = screenTexts(code)
  const methods = await availableGateways(services, code)
  const hasOther = methods.some((it) => it.id !== gateway && !it.isDegraded)
  const host = hostOf(services.gateways.get(gateway)?.origins[0])
  const texts = [t("orderReview.notOpened", { order: id, host }), hasOther && t("orderReview.otherMethod")]
  return { text: texts.filter((it) => typeof it === "string").join(" ") }
}

function pendingView(
  { kind, orderId, placedAt }: Extract<Review, { kind: "pending" }>,
  { url, context }: Page,
) {
  const t = screenTexts(context.get(localeContext).code)
  const reloads = pageReloads(context, url, placedAt)
  const words = {
    heading: t("pending.heading"),
    lead: [t("pending.lead"), ...(reloads.refreshSeconds === null ? [] : [t("pending.continues")])].join(" "),
    once: t("pending.once"),
    reference: t("pending.reference"),
  }
  return { kind, orderId, words, title: words.heading, ...reloads }
}

function heldScreen(
  { orderId: reference, refused, placedAt }: Extract<Review, { kind: "held" }>,
  { url, context }: Page,
) {
  const reloads = refused ? noReloads : pageReloads(context, url, placedAt)
  const t = screenTexts(context.get(localeContext).code)
  const { mailsOrders } = context.get(servicesContext).shop
  const note = refused ? null : t(mailsOrders ? "notice.heldByMail" : "unpaid.comeBack")
  return interstitial({ kind: "fraud", reference, refused, note, ...reloads }, 403)
}

type Page = Pick<Route.LoaderArgs, "url" | "context">

/** Whether an order that is reviewed again, such as a released one, pays for somebody else. */
async function isOfAnother(context: Readonly<RouterContextProvider>, orderId: string | null) {
  const services = context.get(servicesContext)
  const order = orderId === null ? null : await services.billing.order(orderId)
  return order !== null && isForAnother(services, context.get(sessionContext), order)
}

/** What the buyer has agreed to on the checkout. */
function agreedOn(draft: CheckoutSession["draft"]) {
  if (draft === null) return { agreedTotal: null }
  const { total: agreedTotal, currency: agreedCurrency, credits: agreedCredits, credit: agreedCredit } = draft
  return { agreedTotal, agreedCurrency, agreedCredits, agreedCredit }
}

/** What the URL says of an order that is placed: another tab has sent another selection, or less account credit was used. */
function askedIn({ searchParams }: URL) {
  if (searchParams.has("another")) return "another" as const
  return searchParams.has(CREDIT_CHANGED) ? ("credit-changed" as const) : null
}

/** Where the page leads, and its button: to no gateway where nothing is left to pay. */
function reviewWords(t: ScreenTexts, review: Reviewed): ReviewWords {
  const { gatewayHost: host } = review
  return isDue(review)
    ? {
        going: t("orderReview.going", { host }),
        lead: t("orderReview.lead", { host }),
        button: t("orderReview.pay", { host }),
      }
    : { going: t("orderReview.placing"), lead: t("orderReview.free"), button: t("orderReview.order") }
}

type Reviewed = Extract<Review, { kind: "review" }>

function isDue({ quote, accountCredit }: Pick<Reviewed, "quote" | "accountCredit">): boolean {
  return accountCredit.minor < quote.total.minor
}

/**
 * Leads to the question which country is right, a page of its own since this one sends itself where script runs, and to the
 * checkout for declarations that the law of the buyer's country asks for.
 */
function askFirst(context: Args["context"], placedOrderId: string | null): void {
  if (placedOrderId !== null) return
  const { buyer } = context.get(pricingContext)
  if (buyer && countriesToConfirm(buyer)) throw redirectDocument(screenHref(context, countryPath))
  if (agreedDeclarations(context) === "missing") throw redirect(checkoutHref(context))
}

/** The checkout of the session's choices, which says so if there is no session that could have kept any. */
function checkoutHref(context: Args["context"]): string {
  const { id, choices } = context.get(sessionContext)
  const href = screenHref(context, orderPath("checkout", choices))
  return id === null ? `${href}?${LOST_CHOICES}` : href
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await formOf(request)
  if (form.get("intent") === "edit") throw await changeOrder({ context })
  if (form.get("intent") === "email") throw acceptLikelyEmail({ context })

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

/** What the buyer has declared for a new order; "missing" if the law asks for more: the checkout does. */
function agreedDeclarations(context: Args["context"]) {
  const { choices, draft } = context.get(sessionContext)
  return choices.kind === "plan" && draft !== null ? declarationsOf(context, draft) : null
}

type Args = Pick<Route.ActionArgs, "context">
type Answered = Args & { readonly form: FormData }

/** What the e-mail of a viewer's order that is not placed yet is likely meant to be. */
function likelyEmailOf({ orderId, email }: { orderId: string | null; email: string }, { kind }: Choices) {
  return orderId === null && kind === "plan" ? suggestEmail(email) : null
}

/** Takes the address that the typed one is likely meant to be. With another address it is another order. */
function acceptLikelyEmail({ context }: Args): Response {
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
function answerWithoutCode({ kind, quote }: CodeRefusal, context: Args["context"]) {
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
function agreeAgain(context: Args["context"], { minor: total, currency }: Money): void {
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

export default function CreatingOrder({ loaderData, actionData }: Route.ComponentProps) {
  if (loaderData.kind === "pending") return <PendingScreen {...loaderData} />
  return <ReviewScreen {...loaderData} error={actionData?.error ?? loaderData.error} />
}
