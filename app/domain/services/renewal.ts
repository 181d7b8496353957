import { DAY, type Instant } from "../calendar"
import { type Cycle, monthsOf } from "../catalogue/billing-cycle"
import { extraOf, type Product, type RenewalPrice } from "../catalogue/catalogue"
import type { Quote, QuoteLine } from "../catalogue/pricing"
import { trialReminderAt } from "../catalogue/trial"
import { type Currency, type Money, money, plus, times } from "../money/money"
import type { Service } from "./service"
import { endOfTerm, isTrial, newTerm, type Term, withCycles } from "./term"

/** A service with a paid time that another term can follow. */
export type RenewableService = Pick<Service, "status" | "kind" | "suspension"> & {
  readonly cycle: Cycle
  readonly term: Term
  readonly paidUntil: Instant
}

/**
 * What a paid renewal does to the access. `kept`: it goes on. `resumed`: it was suspended, and the same login details work
 * again. `new`: it has ended, and the line is set up again with the same login details.
 */
export type RenewalAccess = "kept" | "resumed" | "new"

/** The service with its term, if another term can follow: it has an end, and nobody but the customer has stopped it. */
export function renewable<S extends Service>(service: S): (S & RenewableService) | null {
  const { cycle, term, paidUntil, suspension, kind } = service
  if (cycle === null || term === null || paidUntil === null || kind !== "plan") return null
  if (accessAfter(service) === null) return null
  if (suspension !== null && suspension.owner !== "non-payment") return null
  return { ...service, cycle, term, paidUntil }
}

/** See `RenewalAccess`; null while the service is set up, and after it was cancelled. */
export function accessAfter({ status }: Pick<Service, "status">): RenewalAccess | null {
  return afterPayment[status]
}

const afterPayment = {
  Pending: null,
  Active: "kept",
  Suspended: "resumed",
  Terminated: "new",
  Cancelled: null,
} as const satisfies Record<Service["status"], RenewalAccess | null>

/**
 * Where a renewed term begins. `early`: at the end of the paid time, which is not over. `within-grace`: there too, since the
 * service has been used meanwhile. `later`: with the payment.
 */
export type RenewalStart = "early" | "within-grace" | "later"

export type RenewalTime = {
  /** Time of the payment. */
  readonly at: Instant
  /** Until when a service may be used unpaid; see `graceEndOf`. */
  readonly graceEnd: Instant
}

/** Where the first renewed term begins: see `RenewalStart`. */
export function startOfRenewal(
  { paidUntil }: Pick<RenewableService, "paidUntil">,
  { at, graceEnd }: RenewalTime,
): RenewalStart {
  if (at <= paidUntil) return "early"
  return at <= graceEnd ? "within-grace" : "later"
}

/** The term after a renewal by a number of cycles. A later one has a new anchor: the payment, in the shop's time zone. */
export function renewedTerm(
  service: Pick<RenewableService, "term" | "paidUntil">,
  cycles: number,
  { zone, ...time }: RenewalTime & { readonly zone: string },
): Term {
  if (startOfRenewal(service, time) !== "later") return withCycles(service.term, cycles)
  return newTerm(time.at, zone, cycles)
}

/**
 * Until when a service may be used unpaid: a free trial has no days of grace, and a suspended service is not used, however long the
 * grace of others has become since.
 */
export function graceEndOf(
  {
    paidUntil,
    term,
    status,
    suspension,
  }: Pick<Service, "term" | "status" | "suspension"> & Pick<RenewableService, "paidUntil">,
  graceDays: number,
): Instant {
  if (isTrial(term) || status === "Terminated") return paidUntil
  const end = paidUntil + graceDays * DAY
  return suspension?.owner === "non-payment" ? Math.min(end, suspension.at) : end
}

/** The end of a paid time counts as near from so long before. */
const NEAR_END = 7 * DAY

/** Whether the end of a service is near or over. A free trial is all near its end: its own reminder's time counts. */
export function isEndNear(
  { term, paidUntil }: Pick<RenewableService, "term" | "paidUntil">,
  now: Instant,
): boolean {
  return now > (isTrial(term) ? trialReminderAt(paidUntil, paidUntil - term.anchor) : paidUntil - NEAR_END)
}

/** Lengths that are offered, in months, as far as they are whole numbers of cycles. */
const OFFERED_MONTHS = [1, 3, 6, 12, 24]

/** A renewal that may be bought: number of cycles, and the end of the paid time after it. */
export type RenewalChoice = { readonly cycles: number; readonly until: Instant }

/**
 * The renewals that may be bought, the shortest first: the paid time may reach `aheadMonths` ahead, or one cycle if that is
 * longer, in its last month. Empty: as much has been paid already.
 */
export function renewalChoices(
  service: Pick<RenewableService, "term" | "paidUntil" | "cycle">,
  ahead: Ahead,
): readonly RenewalChoice[] {
  const length = monthsOf(service.cycle)
  const offered = [length, ...OFFERED_MONTHS.filter((months) => months > length && months % length === 0)]
  return offered
    .map((months) => months / length)
    .map((cycles) => ({ cycles, until: endAfter(service, cycles, ahead) }))
    .filter(({ until }) => until <= aheadLimit(service, ahead))
}

/** How many months ahead a service may be paid, at the time of a renewal. */
export type Ahead = RenewalTime & { readonly zone: string; readonly aheadMonths: number }

/** Whether a renewal leads further ahead than a service may be paid: see `renewalChoices`. */
export function isTooFarAhead(
  service: Pick<RenewableService, "term" | "paidUntil" | "cycle">,
  cycles: number,
  ahead: Ahead,
): boolean {
  return endAfter(service, cycles, ahead) > aheadLimit(service, ahead)
}

function endAfter(
  service: Pick<RenewableService, "term" | "paidUntil" | "cycle">,
  cycles: number,
  ahead: Ahead,
): Instant {
  return endOfTerm(renewedTerm(service, cycles, ahead), service.cycle)
}

function aheadLimit({ cycle }: Pick<RenewableService, "cycle">, { aheadMonths, ...time }: Ahead): Instant {
  return monthsAfter(time, Math.max(aheadMonths, monthsOf(cycle) + 1))
}

function monthsAfter({ at, zone }: { at: Instant; zone: string }, count: number): Instant {
  return endOfTerm(newTerm(at, zone, count), "monthly")
}

/**
 * When each term of a renewal begins: the first one at the end of the paid time, or with a later payment, each other one where
 * the one before it ends.
 */
export function startsOfTerms(
  service: Pick<RenewableService, "term" | "paidUntil" | "cycle">,
  cycles: number,
  time: RenewalTime & { readonly zone: string },
): readonly Instant[] {
  const first = startOfRenewal(service, time) === "later" ? time.at : service.paidUntil
  return Array.from({ length: cycles }, (_, before) =>
    before === 0 ? first : endOfTerm(renewedTerm(service, before, time), service.cycle),
  )
}

/** What one cycle of a service costs at its renewal. */
export type RenewalTerms = {
  /** Price of one cycle with its extras, before the discount; null: the catalogue's. */
  readonly price: Money | null
  /** Taken off each of the next `discountedTerms` terms; null: of all further terms. */
  readonly discount: Money
  readonly discountedTerms: number | null
  /** The operator has announced another price. */
  readonly announced: AnnouncedPrice | null
}

export type AnnouncedPrice = { readonly price: Money; readonly from: Instant }

/** What the catalogue says about a service's product: null if it is no longer sold in its cycle and currency. */
export type CataloguePrice = { readonly policy: RenewalPrice; readonly price: Money | null }

/**
 * Price of one cycle that begins at a time, before the discount: the announced one from its day on, else by the product's
 * policy. A product that is no longer sold renews at the service's price. Null: there is no price at all.
 */
export function renewalPrice(
  { price, announced }: RenewalTerms,
  catalogue: CataloguePrice,
  at: Instant,
): Money | null {
  if (announced !== null && announced.from <= at) return announced.price
  return catalogue.policy === "current" ? (catalogue.price ?? price) : (price ?? catalogue.price)
}

/**
 * Price of terms that begin at these times: each at the price of its begin, less its discount, never below zero. So a renewal
 * that is bought before the day of an announced price keeps the former one for the terms that begin before it. Null: there is
 * no price.
 */
export function priceOfTerms(
  terms: RenewalTerms,
  catalogue: CataloguePrice,
  starts: readonly Instant[],
): Money | null {
  const { discount, discountedTerms } = terms
  const prices = starts.map((start) => renewalPrice(terms, catalogue, start))
  const known = prices.filter((it) => it !== null)
  if (known.length === 0 || known.length < prices.length) return null
  const isDiscounted = (position: number) => discountedTerms === null || position < discountedTerms
  return known
    .map((price, position) => (isDiscounted(position) ? reduced(price, discount) : price))
    .reduce(plus)
}

/** What one cycle costs less the discount of the next term. */
export function nextPrice(price: Money, { discount, discountedTerms }: RenewalTerms): Money {
  return discountedTerms === 0 ? price : reduced(price, discount)
}

/** What one cycle costs for good: less a discount of all further terms, while one of some terms ends. */
export function lastingPrice(
  price: Money,
  { discount, discountedTerms }: Pick<RenewalTerms, "discount" | "discountedTerms">,
): Money {
  return discountedTerms === null ? reduced(price, discount) : price
}

function reduced(price: Money, discount: Money): Money {
  return money(Math.max(0, price.minor - discount.minor), price.currency)
}

/** Discounted terms that are left after a renewal. */
export function discountedTermsAfter(discountedTerms: number | null, cycles: number): number | null {
  return discountedTerms === null ? null : Math.max(0, discountedTerms - cycles)
}

/** The catalogue's price if one cycle costs less by it than by the service's own price; it is without the discount. */
export function lowerPrice(terms: RenewalTerms, catalogue: CataloguePrice, at: Instant): Money | null {
  const own = renewalPrice(terms, catalogue, at)
  if (own === null || catalogue.price === null) return null
  return catalogue.price.minor < nextPrice(own, terms).minor ? catalogue.price : null
}

type Priced = Pick<Service, "connections" | "proxyProtection"> & {
  readonly cycle: Cycle
  readonly currency: Currency
}

/** The catalogue's price of one cycle of a service with all its connections; null if it is not sold like that. */
export function cataloguePrice(service: Priced, product: Pick<Product, "pricing" | "options">): Money | null {
  const { cycle, currency } = service
  const base = product.pricing[currency]?.[cycle]
  const extras = priceOfExtras(service, product.options)
  return base === undefined || extras === null ? null : plus(money(base, currency), extras)
}

/** What the catalogue says about the product of a service. `product`: absent if it is not in the catalogue any more. */
export function catalogueOf(
  service: Priced,
  product: Pick<Product, "pricing" | "options" | "renewalPrice"> | undefined,
): CataloguePrice {
  return {
    policy: product?.renewalPrice ?? "kept",
    price: product ? cataloguePrice(service, product) : null,
  }
}

/**
 * The price of one cycle of a service whose plan gets a new price: with its extras at the catalogue's prices. Null: an extra
 * has no price. `product`: null if it is not in the catalogue any more.
 */
export function movedPrice(
  plan: Money,
  service: Priced,
  product: Pick<Product, "options"> | null,
): Money | null {
  const extras = priceOfExtras(service, product?.options ?? [])
  return extras === null ? null : plus(plan, extras)
}

function priceOfExtras(
  { cycle, currency, connections, proxyProtection }: Priced,
  [connection, proxy]: Partial<Product["options"]>,
): Money | null {
  const more = connections - 1
  const extra = more > 0 ? (extraOf(connection, currency, cycle)?.price ?? null) : money(0, currency)
  const protection = proxyProtection ? (extraOf(proxy, currency, cycle)?.price ?? null) : money(0, currency)
  return extra === null || protection === null ? null : plus(times(extra, more), protection)
}

/** Time between the notice of another price and its day, at least. */
export const PRICE_NOTICE = 30 * DAY

/** One service in a renewal. */
export type RenewalItem = {
  readonly serviceId: string
  readonly cycles: number
  readonly amount: Money
}

/** A service in a renewal order. */
export type RenewedItem = RenewalItem & {
  readonly name: string
  readonly username: string
  /** End of the paid time that the renewal has led to; null while it is not paid. */
  readonly until: Instant | null
}

type Renewed = Pick<Service, "productId" | "name"> & { readonly cycle: Cycle }

/** The line of one service in a quote. */
export function renewalLine(
  { productId, name, cycle }: Renewed,
  { cycles, amount }: RenewalItem,
): RenewalLine {
  return { kind: "renewal", productId, name, months: cycles * monthsOf(cycle), amount }
}

export type RenewalLine = Extract<QuoteLine, { kind: "renewal" }>

/** Quote of the services of one renewal, which have one currency. */
export function renewalQuote(lines: readonly RenewalLine[]): Quote {
  return { lines, total: lines.map(({ amount }) => amount).reduce(plus) }
}

/** Reasons for not renewing that a customer may choose. */
export const declineReasons = ["price", "unused", "channels", "quality", "other-service", "other"] as const
export type DeclineReason = (typeof declineReasons)[number]
