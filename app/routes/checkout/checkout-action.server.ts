import { data, redirect, redirectDocument } from "react-router"
import { localeContext } from "~/context/locale.server"
import { pricingContext } from "~/context/pricing.server"
import { botContext } from "~/context/request.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { sessionContext, updateSession } from "~/context/session.server"
import { currenciesOffered, type ProductKind } from "~/domain/catalogue"
import { type Choices, type CompleteChoices, choicesOn, codeOn, emptyChoices } from "~/domain/choices"
import { coinChosen } from "~/domain/coin"
import { normalizeEmail, typedEmail } from "~/domain/email"
import {
  DraftForm,
  type Intent,
  IntentField,
  PromoForm,
  ShownCredit,
  TypedCode,
} from "~/domain/forms/checkout-form"
import { currencyOfIntent } from "~/domain/forms/currency-button"
import { COUNTED_STEPS, DISCOUNTED, KEPT_EMAIL, UNREACHABLE_EMAIL } from "~/domain/forms/field-rules"
import { HONEYPOT } from "~/domain/forms/honeypot"
import { localeOfIntent } from "~/domain/forms/language-button"
import { ClaimsExisting } from "~/domain/forms/reseller-form"
import { type ShownPrices, shownPricesText } from "~/domain/forms/shown-prices"
import type { GatewayId } from "~/domain/gateway-id"
import type { Locale } from "~/domain/locales"
import type { Currency } from "~/domain/money"
import type { PricingContext } from "~/domain/pricing"
import { type DraftStep, draftSteps } from "~/domain/purchase-step"
import { queryText } from "~/domain/query-text"
import type { RefusedForm } from "~/domain/refused-form"
import { businessPath, type Journey, pathOf, RESELLERS } from "~/domain/screen-paths"
import { countryOfTaxNumber } from "~/domain/tax-number"
import { applyCode } from "~/flows/checkout/apply-promo-code.server"
import { countDraftSteps } from "~/flows/checkout/count-draft-steps.server"
import { limitPromoCodes } from "~/flows/checkout/limit-promo-codes.server"
import { retryOrdering } from "~/flows/checkout/pause-on-outage.server"
import type { Offer } from "~/flows/checkout/show-offer.server"
import type { AgreedTerms } from "~/flows/checkout/start-review.server"
import { warnsOfEmail } from "~/flows/checkout/unreachable-email.server"
import { formOf } from "~/http/form.server"
import { retryAfter } from "~/http/retry-after.server"
import { refused, submitted } from "~/http/submitted-form.server"
import { localeCookie } from "~/middleware/locale/locale.server"
import { rateLimitSubject } from "~/middleware/rate-limit-subject.server"
import { screenHref } from "../screen-href.server"
import { chooseCountry } from "./choose-country.server"
import { BUSINESS } from "./tax-part.server"

/** Translation keys by field; those of the empty name are about the whole form. */
export type FieldErrors = Record<string, string[] | null>

/** What a parsed form has in both checkouts. */
type SubmittedOrder = {
  readonly gateway: GatewayId
  readonly promoCode?: string | undefined
  readonly shown?: ShownPrices | undefined
}

/** A submitted order with what the request has found out about it. */
export type OrderRequest<Order> = {
  readonly order: Order
  readonly context: RouteContext
  readonly promoCode: string | null
  readonly coin: string | null
  readonly agreed: Omit<AgreedTerms, "currency">
  readonly pricing: PricingContext
}

/** A selection that is ready for the review step; `key`: idempotency key of the order. */
export type ReadyOrder = {
  readonly choices: CompleteChoices
  readonly total: number
  /** Of a reseller plan. */
  readonly credits?: number | undefined
  readonly key: string
  /** When the buyer made the declarations that the law of the country asks for; missing: it asks for none. */
  readonly declaredAt?: number | undefined
}

/** What a form is refused with: errors by field, and seconds to wait. */
export type Refusal = {
  readonly errors: FieldErrors
  readonly status: 400 | 401 | 422 | 429 | 503
  readonly retryAfterSeconds?: number
  /** The page says how long to wait, since no field does. */
  readonly showsWait?: boolean
}

/** What distinguishes the pages of viewers and resellers. */
export type CheckoutPage = {
  readonly kind: ProductKind
  readonly journey: Journey
  readonly hasExtras: boolean
  /** The form has an account step. It sends no e-mail of a signed-in customer, so the session keeps what is not sent. */
  readonly hasAccount: boolean
}

/** A page with its form, and how an order of this kind is started. */
export type Checkout<Order extends SubmittedOrder> = CheckoutPage & {
  readonly orderIn: (form: FormData, context: RouteContext) => Order | { readonly errors: FieldErrors }
  /** The typed e-mail; null for that of an account. */
  readonly typedEmail: (order: Order) => string | null
  readonly start: (request: OrderRequest<Order>) => Promise<ReadyOrder | Refusal>
}

/** What the action of a checkout's route is called with. */
type SentForm = { readonly request: Request; readonly url: URL; readonly context: RouteContext }

/** Handles the form of a checkout. Returns only what is refused; anything else redirects. */
export async function handleCheckoutAction<Order extends SubmittedOrder>(
  checkout: Checkout<Order>,
  { request, url, context }: SentForm,
) {
  const form = await formOf(request)
  const locale = localeOfIntent(form.get("intent"))
  if (locale !== null) throw changeLanguage(checkout, form, context, { locale, query: url.searchParams })
  // It may have been a browser's autofill, so the page says that nothing was sent; it comes back without the field.
  if (form.get(HONEYPOT)) return answer(form, { errors: { "": ["signIn.mail.again"] }, status: 400 })
  chooseCountry(form, context)
  if (form.get("intent") === BUSINESS) throw await leaveForBusiness(checkout, form, context)
  const currency = currencyOfIntent(form.get("intent"))
  if (currency !== null) await chooseCurrency(checkout, currency, context)
  const { intent } = IntentField.parse({ intent: currency === null ? form.get("intent") : "update" })
  const refusal =
    intent === "pay"
      ? await pay(checkout, form, context)
      : await actionHandlers[intent](checkout, form, context)
  return answer(form, refusal)
}

/**
 * Stores the locale and all that was chosen and typed, and leads to the page in that language, which is another document. Nothing is
 * checked, and no code is tried: what is wrong is said when the form is sent.
 */
function changeLanguage(
  page: CheckoutPage,
  form: FormData,
  context: RouteContext,
  { locale, query }: { readonly locale: Locale; readonly query: URLSearchParams },
): Response {
  chooseCountry(form, context)
  updateSession(context, {
    choices: keptIn(page, form, context),
    typedCode: typedCodeIn(form),
    draft: null,
    currency: context.get(pricingContext).currency,
    countedSteps: draftSteps.filter((it) => countedIn(form, context).includes(it)),
  })
  context.set(localeContext, locale)
  const kept = new URLSearchParams(query)
  kept.delete("existing")
  if (claimsExisting(page, form)) kept.set("existing", "yes")
  const address = screenHref(context, pathOf[page.journey].checkout) + queryText(kept)
  const { publicUrl } = context.get(servicesContext).shop
  return redirectDocument(address, {
    status: 303,
    headers: { "set-cookie": localeCookie(locale, publicUrl) },
  })
}

/** A code in the field that is not sent to be applied. */
function typedCodeIn(form: FormData): string | undefined {
  return TypedCode.parse(form.get("promoCode")) || undefined
}

/**
 * Sets the currency of the prices, if such plans are sold in it and the customer may pay in it. It lasts until the visitor chooses
 * another one or signs in, and needs the review step again.
 */
async function chooseCurrency(
  { kind }: CheckoutPage,
  currency: Currency,
  context: RouteContext,
): Promise<void> {
  if (context.get(pricingContext).isOnlyCurrency) return
  const { catalogue } = context.get(servicesContext)
  const products = await (kind === "plan" ? catalogue.plans() : catalogue.resellerPlans())
  if (!currenciesOffered(kind, products).includes(currency)) return
  context.set(pricingContext, { ...context.get(pricingContext), currency })
  updateSession(context, { currency, draft: null })
}

/** Keeps what was filled in. The page is a document of its own: the script of the checkout does not know it. */
async function leaveForBusiness(
  page: CheckoutPage,
  form: FormData,
  context: RouteContext,
): Promise<Response> {
  await choose(page, form, context, keptIn(page, form, context))
  updateSession(context, { typedCode: typedCodeIn(form) })
  // It leads back to this checkout.
  const query = page.journey === "reseller" ? `?${RESELLERS}` : ""
  return redirectDocument(`${screenHref(context, businessPath)}${query}`, 303)
}

/** Leads to the page of the business if its number is of another country than the one that is chosen. */
async function checkNumberFits(page: CheckoutPage, form: FormData, context: RouteContext): Promise<void> {
  const { country, buyer } = context.get(pricingContext)
  if (buyer?.business && countryOfTaxNumber(buyer.business.taxNumber) !== country)
    throw await leaveForBusiness(page, form, context)
}

type SelectionHandler = (page: CheckoutPage, form: FormData, context: RouteContext) => Promise<Refusal>

const actionHandlers: Record<Exclude<Intent, "pay">, SelectionHandler> = {
  async update(page, form, context) {
    await retryOrdering(context.get(servicesContext))
    if (form.get("promoCode")) return actionHandlers["apply-promo"](page, form, context)
    throw await choose(page, form, context, keptIn(page, form, context))
  },

  async "apply-promo"(page, form, context) {
    const submission = submitted(form, PromoForm)
    if (submission.status !== "success") return { errors: submission.error ?? {}, status: 400 }
    const { plan, promoCode } = submission.value
    const services = context.get(servicesContext)
    const tried = await limitPromoCodes(services, promoCode, rateLimitSubject(context))
    if (!tried.ok) return tooManyCodes(tried.retryAfterSeconds)
    const { promotion } = tried
    const { currency } = context.get(pricingContext)
    const choices = { ...choicesIn(page)(form, context), plan }
    const applied = await applyCode(services, choices, { promotion, currency })
    if (applied.kind === "rejected") return { errors: { promoCode: [applied.reason] }, status: 422 }
    throw await choose(page, form, context, applied.choices)
  },

  async "remove-promo"(page, form, context) {
    throw await choose(page, form, context, choicesIn(page)(form, context))
  },
}

async function pay<Order extends SubmittedOrder>(
  checkout: Checkout<Order>,
  form: FormData,
  context: RouteContext,
): Promise<Refusal> {
  const order = checkout.orderIn(form, context)
  if ("errors" in order) return { errors: order.errors, status: 400 }
  await checkNumberFits(checkout, form, context)

  const services = context.get(servicesContext)
  const { promoCode, shown, gateway } = order
  const tried = await limitPromoCodes(services, promoCode, rateLimitSubject(context))
  if (!tried.ok) return tooManyCodes(tried.retryAfterSeconds)
  const email = checkout.typedEmail(order)
  if (email !== null && !isKept(form, email)) {
    const isWarned = await warnsOfEmail(services, email, rateLimitSubject(context))
    if (isWarned) return { errors: { email: [UNREACHABLE_EMAIL] }, status: 422 }
  }
  const pricing = context.get(pricingContext)
  const { choices: before, customer, orderId } = context.get(sessionContext)
  const start = await checkout.start({
    order,
    context,
    pricing,
    promoCode: promoCode || null,
    coin: coinChosen(form, gateway),
    agreed: {
      code: codeOn(checkout.kind, before),
      isDiscounted: form.has(DISCOUNTED),
      shown,
      promotion: tried.promotion,
      visitor: { customer, orderId },
    },
  })
  if ("errors" in start) return start

  const { choices, key, total, credits, declaredAt } = start
  await countSubmitted(form, context, { choices, key })
  updateSession(context, {
    choices,
    typedCode: undefined,
    currency: pricing.currency,
    draft: {
      key,
      total,
      currency: shown?.currency,
      credits,
      credit: creditShown(form),
      declaredAt,
    },
  })
  throw redirect(screenHref(context, pathOf[checkout.journey].creatingOrder), 303)
}

/** The account credit that the page showed; undefined: none. */
function creditShown(form: FormData): number | undefined {
  return ShownCredit.parse(form.get("credit")) || undefined
}

/** Whether the buyer has been told that mail to this e-mail comes back, and keeps it. */
function isKept(form: FormData, email: string): boolean {
  const kept = form.get(KEPT_EMAIL)
  return typeof kept === "string" && normalizeEmail(typedEmail(kept)) === normalizeEmail(email)
}

/** The refusal of a selection: at its field, or of the whole form while ordering is paused. */
export function rejected({ field, reason }: { field: string; reason: string }): Refusal {
  return field === "form"
    ? { errors: { "": [reason] }, status: 503 }
    : { errors: { [field]: [reason] }, status: 422 }
}

function tooManyCodes(retryAfterSeconds: number): Refusal {
  return { errors: { promoCode: ["promotion.too-many"] }, status: 429, retryAfterSeconds }
}

/** Stores a changed selection without a draft: it has to pass the review step again. Redirects back to the page. */
async function choose(
  page: CheckoutPage,
  form: FormData,
  context: RouteContext,
  choices: Choices,
): Promise<Response> {
  await countChosen(form, context, choices)
  const { currency } = context.get(pricingContext)
  updateSession(context, { choices, typedCode: undefined, draft: null, currency })
  const query = claimsExisting(page, form) ? "?existing=yes" : ""
  return redirect(`${screenHref(context, pathOf[page.journey].checkout)}${query}`, 303)
}

/** The same selection again is the same purchase, another one is another. */
async function countSubmitted(
  form: FormData,
  context: RouteContext,
  { choices, key }: Pick<ReadyOrder, "choices" | "key">,
): Promise<void> {
  if (key === context.get(sessionContext).draft?.key) return
  await countReached(form, context, { choices, reached: [...draftSteps, "submitted"] })
  updateSession(context, { countedSteps: undefined })
}

async function countChosen(form: FormData, context: RouteContext, choices: Choices): Promise<void> {
  const reached: readonly DraftStep[] = choices.email === null ? ["chosen"] : draftSteps
  await countReached(form, context, { choices, reached })
  const counted = context.get(sessionContext).countedSteps ?? []
  updateSession(context, {
    countedSteps: draftSteps.filter((it) => reached.includes(it) || counted.includes(it)),
  })
}

/** Counts steps of a viewer's draft, once each. Bots are not counted. */
async function countReached(
  form: FormData,
  context: RouteContext,
  { choices, reached }: { choices: Choices; reached: readonly (DraftStep | "submitted")[] },
): Promise<void> {
  if (choices.kind !== "plan" || context.get(botContext)) return
  await countDraftSteps(context.get(servicesContext), {
    choices,
    locale: context.get(localeContext).code,
    reached,
    counted: countedIn(form, context),
  })
}

/** The steps that were counted in this browser before: by the session, and by the script of the page. */
function countedIn(form: FormData, context: RouteContext): readonly string[] {
  const { countedSteps = [] } = context.get(sessionContext)
  return [...countedSteps, ...String(form.get(COUNTED_STEPS) ?? "").split(" ")]
}

/** The page with error messages at the fields and the submitted values except passwords. */
function answer(form: FormData, { errors, status, retryAfterSeconds = 0, showsWait }: Refusal) {
  const lastResult = {
    ...refused(submitted(form, DraftForm), { fieldErrors: errors }),
    leadsToField: form.get("intent") === "apply-promo" && Object.keys(errors).join() === "promoCode",
  }
  const wait = showsWait ? retryAfterSeconds : 0
  return data({ lastResult, wait }, { status, headers: retryAfter(retryAfterSeconds) })
}

/**
 * An offer with the reasons why stored choices are no longer valid, in the form of the answer to a refused form. `missing`: further
 * reasons why a draft was not ordered, by field.
 */
export function withAnswer<Offered extends { errors: RefusedForm["error"] }>(
  { errors, ...offer }: Offered,
  missing: Record<string, string[]> = {},
) {
  const error = { ...errors, ...missing }
  return { ...offer, lastResult: Object.keys(error).length > 0 ? { error } : null }
}

/** An offer with a code that was typed before the language was changed; without one it is that of all visitors. */
export function withTypedCode<Offered extends Pick<Offer, "choices">>(
  context: RouteContext,
  offer: Offered,
): Offered & { readonly typedCode?: string } {
  const { typedCode, choices } = context.get(sessionContext)
  const isTyped = typedCode !== undefined && choices.kind === offer.choices.kind
  return isTyped ? { ...offer, typedCode } : offer
}

/** An offer with the prices that its page shows, as a form without script returns them. */
export function withShownPrices<Offered extends Pick<Offer, "currency" | "plans">>(offer: Offered) {
  return { ...offer, prices: shownPricesText(offer.currency, offer.plans) }
}

/** The selection that a form leaves behind, with the promo code that is applied. */
function keptIn(page: CheckoutPage, form: FormData, context: RouteContext): Choices {
  const promoCode = codeOn(page.kind, context.get(sessionContext).choices)
  return { ...choicesIn(page)(form, context), promoCode }
}

/** Reads the selection that a form leaves behind: its valid choices, without promo code. */
export function choicesIn(page: CheckoutPage): (form: FormData, context: RouteContext) => Choices {
  return (form, context) => {
    const before = page.hasAccount ? choicesOn(page.kind, context.get(sessionContext).choices) : emptyChoices
    return selection(page, form, before)
  }
}

/** The valid choices of a form; `before` has those that it does not send. */
function selection({ kind, hasExtras }: CheckoutPage, form: FormData, before: Choices): Choices {
  const { plan, email, gateway } = DraftForm.parse({
    plan: form.get("plan") ?? undefined,
    email: form.get("email") ?? undefined,
    gateway: form.get("gateway") ?? undefined,
  })
  return {
    kind,
    plan: plan ?? before.plan,
    email: email || before.email,
    gateway: gateway ?? before.gateway,
    coin: coinChosen(form, gateway),
    extraConnection: hasExtras && form.has("extraConnection"),
    proxyProtection: hasExtras && form.has("proxyProtection"),
    promoCode: null,
  }
}

function claimsExisting({ hasAccount }: CheckoutPage, form: FormData): boolean {
  return hasAccount && ClaimsExisting.parse(form.get("existing"))
}
