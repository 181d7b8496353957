import { data, redirect, redirectDocument } from "react-router"
import { localeContext } from "~/context/locale.server"
import { pricingContext } from "~/context/pricing.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { sessionContext, updateSession } from "~/context/session.server"
import { currenciesOffered } from "~/domain/catalogue/catalogue"
import type { PricingContext } from "~/domain/catalogue/pricing"
import { normalizeEmail, typedEmail } from "~/domain/customers/email"
import { DraftForm, type Intent, IntentField, PromoForm, ShownCredit } from "~/domain/forms/checkout-form"
import { currencyOfIntent } from "~/domain/forms/currency-button"
import { UNREACHABLE_EMAIL } from "~/domain/forms/field-rules"
import { DISCOUNTED, KEPT_EMAIL, REFUSED_CODE } from "~/domain/forms/hidden-fields"
import { HONEYPOT } from "~/domain/forms/honeypot"
import { localeOfIntent } from "~/domain/forms/language-button"
import type { ShownPrices } from "~/domain/forms/shown-prices"
import type { Locale } from "~/domain/locales"
import type { Currency } from "~/domain/money/money"
import { type Choices, type CompleteChoices, codeOn, emptyChoices } from "~/domain/orders/choices"
import { draftSteps } from "~/domain/orders/purchase-step"
import { businessPath, pathOf, RESELLERS } from "~/domain/orders/screen-paths"
import { coinChosen } from "~/domain/payments/coin"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { queryText } from "~/domain/query-text"
import { countryOfTaxNumber } from "~/domain/tax/tax-number"
import { applyCode } from "~/flows/checkout/apply-promo-code.server"
import { limitPromoCodes } from "~/flows/checkout/limit-promo-codes.server"
import { retryOrdering } from "~/flows/checkout/pause-on-outage.server"
import type { AgreedTerms } from "~/flows/checkout/start-review.server"
import { warnsOfEmail } from "~/flows/checkout/unreachable-email.server"
import type { FoundPromotion } from "~/flows/checkout/validate-promo-code.server"
import { formOf } from "~/http/form.server"
import { retryAfter } from "~/http/retry-after.server"
import { refused, submitted } from "~/http/submitted-form.server"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import { rateLimitSubject } from "~/middleware/rate-limit-subject.server"
import { changeLanguage } from "../change-language.server"
import { screenHref } from "../screen-href.server"
import {
  type CheckoutPage,
  choicesIn,
  claimsExisting,
  selectionWithCode,
  typedCodeIn,
} from "./checkout-selection.server"
import { chooseCountry } from "./choose-country.server"
import { countChosen, countedIn, countSubmitted } from "./draft-step-counts.server"
import { BUSINESS } from "./tax-part.server"

/** Translation keys by field; those of the empty name are about the whole form. */
export type FieldErrors = Record<string, string[] | null>

/** What a parsed form has in both checkouts. */
type SubmittedOrder = {
  readonly plan: string
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
  if (locale !== null) throw keepInLanguage(checkout, form, context, { locale, query: url.searchParams })
  // It may have been a browser's autofill, so the page says that nothing was sent; it comes back without the field.
  if (form.get(HONEYPOT)) return answer(form, context, { errors: { "": ["signIn.mail.again"] }, status: 400 })
  chooseCountry(form, context)
  if (form.get("intent") === BUSINESS) throw await leaveForBusiness(checkout, form, context)
  const currency = currencyOfIntent(form.get("intent"))
  if (currency !== null) await chooseCurrency(checkout, currency, context)
  const { intent } = IntentField.parse({ intent: currency === null ? form.get("intent") : "update" })
  const refusal =
    intent === "pay"
      ? await pay(checkout, form, context)
      : await actionHandlers[intent](checkout, form, context)
  return answer(form, context, refusal)
}

/**
 * Stores all that was chosen and typed, and leads to the page in another language. Nothing is
 * checked, and no code is tried: what is wrong is said when the form is sent.
 */
function keepInLanguage(
  page: CheckoutPage,
  form: FormData,
  context: RouteContext,
  { locale, query }: { readonly locale: Locale; readonly query: URLSearchParams },
): Response {
  chooseCountry(form, context)
  updateSession(context, {
    choices: selectionWithCode(page, form, context),
    typedCode: typedCodeIn(form),
    draft: null,
    currency: context.get(pricingContext).currency,
    countedSteps: draftSteps.filter((it) => countedIn(form, context).includes(it)),
  })
  const kept = new URLSearchParams(query)
  kept.delete("existing")
  if (claimsExisting(page, form)) kept.set("existing", "yes")
  return changeLanguage(context, locale, { path: pathOf[page.journey].checkout, query: queryText(kept) })
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
  await choose(page, form, context, selectionWithCode(page, form, context))
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
    throw await choose(page, form, context, selectionWithCode(page, form, context))
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
  const { shown, gateway } = order
  const typed = await typedCodeOf(order, form, context)
  if ("errors" in typed) return typed
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
    promoCode: typed.code,
    coin: coinChosen(form, gateway),
    agreed: {
      code: codeOn(checkout.kind, before),
      isDiscounted: form.has(DISCOUNTED),
      shown,
      promotion: typed.promotion,
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

type TypedPromoCode = { readonly code: string | null; readonly promotion?: FoundPromotion | undefined }

/**
 * The code that an order is sent with. One that the page has refused already is tried again, since it may fit what is chosen now, and
 * otherwise left out: the page has said so, and shows the total without it.
 */
async function typedCodeOf(
  { plan, promoCode: code }: SubmittedOrder,
  form: FormData,
  context: RouteContext,
): Promise<TypedPromoCode | Refusal> {
  if (!code) return { code: null }
  const services = context.get(servicesContext)
  const isRefused = String(form.get(REFUSED_CODE)).trim() === code
  const tried = await limitPromoCodes(services, code, rateLimitSubject(context))
  if (!tried.ok) return isRefused ? { code: null } : tooManyCodes(tried.retryAfterSeconds)
  const { promotion } = tried
  if (!isRefused) return { code, promotion }
  const { currency } = context.get(pricingContext)
  const { kind } = await applyCode(services, { ...emptyChoices, plan }, { promotion, currency })
  return kind === "applied" ? { code, promotion } : { code: null }
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

/** The page with error messages at the fields and the submitted values except passwords. */
function answer(
  form: FormData,
  context: RouteContext,
  { errors, status, retryAfterSeconds = 0, showsWait }: Refusal,
) {
  const lastResult = {
    ...refused(submitted(form, DraftForm), { fieldErrors: withWayOn(errors, form, context) }),
    leadsToField: form.get("intent") === "apply-promo" && Object.keys(errors).join() === "promoCode",
  }
  const wait = showsWait ? retryAfterSeconds : 0
  return data({ lastResult, wait }, { status, headers: retryAfter(retryAfterSeconds) })
}

/** Why a typed code is refused, and that the order can be sent without it: at the field, and in the list above the form. */
function withWayOn(errors: FieldErrors, form: FormData, context: RouteContext): FieldErrors {
  if (!errors.promoCode?.length || typedCodeIn(form) === undefined) return errors
  const text = screenTexts(context.get(localeContext).code)("withoutCode")
  return { ...errors, promoCode: [...errors.promoCode, text], "": [...(errors[""] ?? []), text] }
}
