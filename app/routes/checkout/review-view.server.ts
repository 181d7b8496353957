import { redirect, redirectDocument } from "react-router"
import { localeContext } from "~/context/locale.server"
import { pricingContext } from "~/context/pricing.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { type CheckoutSession, sessionContext } from "~/context/session.server"
import { countriesToConfirm } from "~/domain/customers/country"
import { hostOf } from "~/domain/host"
import type { Choices } from "~/domain/orders/choices"
import type { Order } from "~/domain/orders/order"
import { CREDIT_CHANGED, countryPath, LOST_CHOICES, orderPath } from "~/domain/orders/screen-paths"
import { type Review, reviewOrder } from "~/flows/checkout/review-order.server"
import { suggestEmail } from "~/flows/checkout/suggest-email.server"
import { availableGateways } from "~/flows/payments/available-gateways.server"
import { isForAnother } from "~/flows/services/accessible-services.server"
import { type ScreenTexts, screenTexts } from "~/i18n/load-screen-texts.server"
import { interstitial } from "~/middleware/interstitial.server"
import { buyingView } from "~/middleware/pricing/buying-view.server"
import type { ReviewWords } from "~/ui/review/review-screen"
import { furtherPlanNotes } from "../order/further-plan.server"
import { declarationsOf, orderWords } from "../order/law-view.server"
import { noReloads, pageReloads } from "../page-reloads.server"
import { screenHref } from "../screen-href.server"

/** What the review step shows, or its interstitial. Throws redirects of a visitor who has something else to do first. */
export async function reviewView(context: RouteContext, url: URL) {
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
    buying: await withFurtherPlan(context, review, {
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

/** What is bought, with what that does to the account of a reseller who has one. */
async function withFurtherPlan(
  context: RouteContext,
  { orderId }: Reviewed,
  selection: Parameters<typeof buyingView>[1],
) {
  const buying = await buyingView(context, selection)
  const isNewPlan = orderId === null && context.get(sessionContext).choices.kind === "reseller"
  return isNewPlan ? { ...buying, notes: [...buying.notes, ...(await furtherPlanNotes(context))] } : buying
}

/** The error of a review in words of the server, where it has them. */
async function shownError(
  context: RouteContext,
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
export async function notOpened(context: RouteContext, { id, gateway }: Pick<Order, "id" | "gateway">) {
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

type Page = { readonly url: URL; readonly context: RouteContext }

/** Whether an order that is reviewed again, such as a released one, pays for somebody else. */
async function isOfAnother(context: RouteContext, orderId: string | null) {
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
function askFirst(context: RouteContext, placedOrderId: string | null): void {
  if (placedOrderId !== null) return
  const { buyer } = context.get(pricingContext)
  if (buyer && countriesToConfirm(buyer)) throw redirectDocument(screenHref(context, countryPath))
  if (agreedDeclarations(context) === "missing") throw redirect(checkoutHref(context))
}

/** The checkout of the session's choices, which says so if there is no session that could have kept any. */
export function checkoutHref(context: RouteContext): string {
  const { id, choices } = context.get(sessionContext)
  const href = screenHref(context, orderPath("checkout", choices))
  return id === null ? `${href}?${LOST_CHOICES}` : href
}

/** What the buyer has declared for a new order; "missing" if the law asks for more: the checkout does. */
export function agreedDeclarations(context: RouteContext) {
  const { choices, draft } = context.get(sessionContext)
  return choices.kind === "plan" && draft !== null ? declarationsOf(context, draft) : null
}

/** What the e-mail of a viewer's order that is not placed yet is likely meant to be. */
function likelyEmailOf({ orderId, email }: { orderId: string | null; email: string }, { kind }: Choices) {
  return orderId === null && kind === "plan" ? suggestEmail(email) : null
}
