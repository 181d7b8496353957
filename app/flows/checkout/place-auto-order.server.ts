import { isRefusedByBilling } from "~/billing/billing"
import type { Attempt } from "~/billing/payments/payment-repository"
import type { LoggedServices } from "~/context/services.server"
import { dayIn } from "~/domain/calendar"
import { type Extra, extraOf, optionIds, type Plan, type Product, planOf } from "~/domain/catalogue/catalogue"
import type { Promotion } from "~/domain/catalogue/promotion"
import { type BuyerPlace, type Country, countriesToConfirm, currencyIn } from "~/domain/customers/country"
import type { AuthenticatedCustomer } from "~/domain/customers/customer"
import { normalizeEmail } from "~/domain/customers/email"
import type { LocaleCode } from "~/domain/locales"
import type { Currency } from "~/domain/money/money"
import { type Choices, type CompleteChoices, emptyChoices } from "~/domain/orders/choices"
import { choicesFrom, type EntryLink } from "~/domain/orders/entry-link"
import type { Order } from "~/domain/orders/order"
import { paidStatuses, payableStatuses } from "~/domain/orders/order-status"
import { hasEnded } from "~/domain/services/line-list"
import { lawOf } from "~/domain/shop/country-law"
import { isOffered } from "~/flows/payments/available-gateways.server"
import { getOrderProgress } from "~/flows/payments/get-order-progress.server"
import { openPayment } from "~/flows/payments/open-payment.server"
import { type CreateOrderInput, type CreateOrderResult, createOrder } from "./create-order.server"
import { orPauseOrdering } from "./pause-on-outage.server"
import { quotePlan } from "./quote-choices.server"
import { type PromoCodeUse, validatePromoCode } from "./validate-promo-code.server"

type AutoOrder = {
  link: EntryLink
  locale: LocaleCode
  country: Country
  /** By what the country is known, in a shop that taxes by it. */
  buyer?: BuyerPlace | undefined
  address: string | null
  /** Browser id. */
  browser: string | null
  /** Id of the browser's session; null: it accepts no cookies. */
  sessionId: string | null
  affiliateId: string | null
  /** The signed-in customer, if any. */
  customer: AuthenticatedCustomer | null
  /** Id of the session's current order. */
  orderId: string | null
}

export type AutoPlacement =
  | { readonly kind: "opened"; readonly order: Order; readonly choices: Choices; readonly url: string }
  /** The order needs no payment. */
  | { readonly kind: "settled"; readonly order: Order; readonly choices: Choices }
  /** Placed, but not to be paid now: on hold, its payment has been seen, or the gateway is unavailable. The order's screen shows which. */
  | { readonly kind: "not-payable"; readonly order: Order; readonly choices: Choices }
  /** A requirement is missing: the checkout opens without a message (specification, Entry links). */
  | { readonly kind: "stopped" }

const stopped = { kind: "stopped" } as const

/**
 * Places the order of an auto-redirect link and creates its payment at the offshore gateway. Reuses an open order, one on hold, and a
 * paid one, whose buyer would otherwise pay a second time.
 */
export async function placeAutoOrder(services: LoggedServices, request: AutoOrder): Promise<AutoPlacement> {
  return orPauseOrdering(services, () => placeLinkedOrder(services, request), stopped)
}

async function placeLinkedOrder(services: LoggedServices, request: AutoOrder): Promise<AutoPlacement> {
  const { email, pid } = request.link
  // A declaration is made on the checkout only.
  if (lawOf(services.shop.legal.law, request.country).startAtOnce) return stopped
  if (!email || !pid || !(await isOffered(services, "offshore"))) return stopped

  return placeIn(services, request, {
    email,
    pid,
    currency: currencyIn(request.country, services.shop.currency),
  })
}

type Terms = { readonly email: string; readonly pid: string; readonly currency: Currency }

async function placeIn(services: LoggedServices, request: AutoOrder, terms: Terms): Promise<AutoPlacement> {
  const { link, country, buyer } = request
  const { email, pid, currency } = terms
  const product = (await services.billing.plans()).find(({ id }) => id === pid)
  const plan = product && autoPlan(product, { link, currency })
  if (!plan) return stopped

  const promotion = await promotionOf(services, link.promocode, { planId: pid, cycle: plan.cycle, currency })
  if (promotion === "unchecked") return stopped
  const choices = {
    ...choicesFrom(link, "plan", emptyChoices),
    plan: pid,
    email,
    gateway: "offshore" as const,
    coin: null,
    promoCode: promotion?.code ?? null,
  }
  const quote = quotePlan(services, plan, { extras: choices, promotion, buyer })
  const priced = { plan, quote, pricing: { country, currency, buyer } }
  const earlier = await orderOfSameDay(services, request, choices)
  if (earlier) return payEarlier(services, earlier, choices)
  return placeNew(services, request, terms, { choices, ...priced })
}

async function placeNew(
  services: LoggedServices,
  request: AutoOrder,
  terms: Terms,
  priced: Priced,
): Promise<AutoPlacement> {
  const { buyer } = priced.pricing
  // The review step of the checkout asks which country is right.
  if (buyer && countriesToConfirm(buyer)) return stopped
  const written = await newOrder(services, request, priced)
  if (!written) return stopped
  if (written.kind === "written") return pay(services, written, priced.choices)
  // The customer's account has another currency than the country: quote again in that.
  return written.currency === terms.currency
    ? stopped
    : placeIn(services, request, { ...terms, currency: written.currency })
}

type Priced = Pick<CreateOrderInput, "choices" | "plan" | "quote" | "pricing">

type AutoOrderResult = Exclude<CreateOrderResult, { kind: "customer-rejected" }>

/** Null if a concurrent order redeemed the promotion's last use since it was validated, or the customer cannot order. */
async function newOrder(
  services: LoggedServices,
  request: AutoOrder,
  priced: Priced,
): Promise<AutoOrderResult | null> {
  const { address, affiliateId, browser, country, customer } = request
  const locale = country === "ES" ? "es-es" : request.locale
  try {
    const created = await createOrder(services, {
      ...priced,
      customer,
      orderId: request.orderId,
      key: await orderKey(services, request, priced.choices),
      address,
      affiliateId,
      browser,
      locale,
    })
    return created.kind === "customer-rejected" ? null : created
  } catch (error) {
    if (!isRefusedByBilling(error)) throw error
    return null
  }
}

/**
 * Idempotency key: the same for the same e-mail, product and day in one session, while that order is reusable. So a visit
 * whose response was lost is continued.
 */
async function orderKey(
  { billing, shop, signer, newId, now }: LoggedServices,
  { sessionId }: AutoOrder,
  { email, plan }: CompleteChoices,
): Promise<string> {
  if (sessionId === null) return newId()
  const parts = [sessionId, normalizeEmail(email), plan, dayIn(shop.timeZone, now())]
  for (let nth = 1; ; nth++) {
    const key = signer.sign(`auto ${JSON.stringify([...parts, nth])}`)
    const order = await billing.orderByIdempotencyKey(key)
    if (!order || (await isReusable({ billing }, order))) return key
  }
}

/** On hold, and not refused: the operator is to decide, or the buyer to accept another price. */
function isHeld({ status, decision }: Order): boolean {
  return status === "fraud" && decision !== "refused"
}

/**
 * An order that can be paid, that is on hold, or that is paid and whose service has not ended: then its buyer orders again. Whoever tries
 * a plan may buy it on the same day.
 */
async function isReusable({ billing }: Pick<LoggedServices, "billing">, order: Order): Promise<boolean> {
  const { status, serviceId, trialHours } = order
  if (payableStatuses.includes(status) || isHeld(order)) return true
  if (!paidStatuses.includes(status) || trialHours !== undefined) return false
  const service = await billing.service(serviceId)
  return service !== null && !hasEnded(service)
}

/** Pays an order of before, unless a payment of it has arrived or been seen meanwhile. */
async function payEarlier(services: LoggedServices, placed: Order, choices: Choices): Promise<AutoPlacement> {
  const progress = await getOrderProgress(services, placed.id)
  const order = progress?.order ?? placed
  if (progress?.pay?.isProcessing) return { kind: "not-payable", order, choices }
  return pay(services, { order, attempt: null }, choices)
}

type Payable = { readonly order: Order; readonly attempt: Attempt | null }

async function pay(
  services: LoggedServices,
  { order, attempt }: Payable,
  choices: Choices,
): Promise<AutoPlacement> {
  const opening = await openPayment(services, order, { gateway: "offshore", coin: null, attempt })
  if (opening.kind === "opened") return { kind: "opened", order, choices, url: opening.url }
  const settled = opening.kind === "nothing-to-pay" && order.status !== "fraud"
  return { kind: settled ? "settled" : "not-payable", order, choices }
}

/** The product with the link's extras; null if a price is missing. */
function autoPlan(
  product: Product,
  { link, currency }: { link: EntryLink; currency: Currency },
): Plan | null {
  const plan = planOf(product, currency)
  if (!plan) return null
  const extra = (optionId: string): Extra | null =>
    extraOf(
      product.options.find(({ id }) => id === optionId),
      currency,
      plan.cycle,
    )
  const extraConnection = extra(optionIds.extraConnection)
  const proxyProtection = extra(optionIds.proxyProtection)
  const missing = (link.extraconnect && !extraConnection) || (link.proxyprotect && !proxyProtection)
  return missing ? null : { ...plan, extraConnection, proxyProtection }
}

/**
 * The promotion if it is valid today and for this product; otherwise the order continues without it (specification, Promotions).
 * With a code that cannot be checked no order is placed: its buyer would pay more than the link promises.
 */
async function promotionOf(
  services: LoggedServices,
  code: string | undefined,
  use: PromoCodeUse,
): Promise<Promotion | null | "unchecked"> {
  const verdict = code ? await validatePromoCode(services, code, use) : null
  if (verdict?.ok) return verdict.promotion
  return verdict?.reason === "unchecked" ? "unchecked" : null
}

/**
 * The session's order with the same e-mail, product and day, or of whichever day while it is on hold: following a link twice in one browser is one order.
 * Another browser gets an order of its own, since it must not see what another visitor pays for.
 */
async function orderOfSameDay(
  services: Pick<LoggedServices, "billing" | "shop" | "now">,
  request: AutoOrder,
  choices: CompleteChoices,
): Promise<Order | null> {
  const { billing, shop, now } = services
  const order = request.orderId ? await billing.order(request.orderId) : null
  if (!order || !(await isReusable(services, order))) return null
  const customer = await billing.customerOf(choices.email)
  const sameDay = isHeld(order) || dayIn(shop.timeZone, order.placedAt) === dayIn(shop.timeZone, now())
  const same = order.lines.some((line) => line.kind === "plan" && line.productId === choices.plan)
  return sameDay && same && customer?.id === order.customerId ? order : null
}
