import { ConcurrentRenewal, isRefusedByBilling } from "~/billing/billing"
import type { NewRenewal } from "~/billing/services/renewals"
import type { LoggedServices } from "~/context/services.server"
import type { Quote, QuoteLine } from "~/domain/catalogue/pricing"
import { scopeFor } from "~/domain/customers/customer"
import { NOT_RENEWABLE } from "~/domain/forms/renewal-fields"
import { sameAmount } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { payableStatuses } from "~/domain/orders/order-status"
import { type RenewalItem, renewalLine, renewalQuote } from "~/domain/services/renewal"
import type { Service } from "~/domain/services/service"
import { creditCoversServiceOrder } from "~/flows/checkout/available-credit.server"
import { buyerPlaceOfCustomer } from "~/flows/checkout/buyer-place-of-customer.server"
import { holdReason } from "~/flows/checkout/check-fraud.server"
import { newServiceOrder } from "~/flows/checkout/new-order.server"
import { priceRenewals, type ServiceRenewal } from "~/flows/checkout/price-renewal.server"
import { refusedGateway } from "~/flows/payments/available-gateways.server"
import { prepareReplacement } from "./replace-unpaid-order.server"
import {
  fieldsOfRequest,
  orSentBefore,
  rejected,
  type ServiceOrderRequest,
  type ServicePlacement,
} from "./service-order.server"

/** A service and for how many cycles it is renewed. */
export type Renewed = {
  /** Ownership has been checked. */
  readonly service: Service
  readonly cycles: number
  /** Price that the form showed, in minor units; null if the form has none. */
  readonly shown: number | null
}

export type RenewalRequest = ServiceOrderRequest & {
  /** Of one customer, each service once; at least one. */
  renewed: readonly Renewed[]
}

export type RenewalPlacement = ServicePlacement<"form" | "gateway">

/**
 * Orders further terms of services, in one payment. Idempotent by `key`; an unpaid order for the same is continued, as after
 * Back, and from another browser.
 */
export async function renewServices(
  services: LoggedServices,
  request: RenewalRequest,
): Promise<RenewalPlacement> {
  const placement = await placeNew(services, request)
  const [first] = request.renewed
  return first
    ? orSentBefore(services, placement, { ...request, kind: "renewal", service: first.service })
    : placement
}

async function placeNew(services: LoggedServices, request: RenewalRequest): Promise<RenewalPlacement> {
  const { billing } = services
  const { renewed } = request
  const priced = await priceRenewals(services, billing, {
    candidates: renewed.map(({ service }) => service),
  })
  const items = itemsOf(renewed, priced)
  const [first] = priced
  if (items === null || !first || !haveOneCurrency(items)) return rejected("form", NOT_RENEWABLE)
  if (items.some(({ amount }, at) => amount.minor > (renewed[at]?.shown ?? amount.minor)))
    return rejected("form", "review.price-changed")
  const quote = quoteOf(items, priced)
  const { customerId } = first.service
  const covered = () => creditCoversServiceOrder(services, request, { customerId, total: quote.total })
  const refused = await refusedGateway(services, request.gateway, covered)
  return refused ?? orderRenewal(services, request, { items, quote, customerId })
}

function quoteOf(items: readonly RenewalItem[], priced: readonly ServiceRenewal[]): Quote {
  const lines = items.flatMap((item) => {
    const found = priced.find(({ service }) => service.id === item.serviceId)
    return found ? [renewalLine(found.service, item)] : []
  })
  return renewalQuote(lines)
}

/** The item of each service, in their order; null if one of them cannot be renewed like that. */
function itemsOf(
  renewed: readonly Renewed[],
  priced: readonly ServiceRenewal[],
): readonly RenewalItem[] | null {
  const items = renewed.flatMap(({ service: { id: serviceId }, cycles }) => {
    const choices = priced.find(({ service }) => service.id === serviceId)?.choices
    const choice = choices?.find((it) => it.cycles === cycles)
    return choice ? [{ serviceId, cycles, amount: choice.total }] : []
  })
  return items.length === renewed.length ? items : null
}

/** One payment has one currency; the page offers no others together. */
function haveOneCurrency(items: readonly RenewalItem[]): boolean {
  return new Set(items.map(({ amount }) => amount.currency)).size === 1
}

type Priced = {
  readonly items: readonly RenewalItem[]
  readonly quote: Quote
  readonly customerId: string
}

async function orderRenewal(
  services: LoggedServices,
  request: RenewalRequest,
  { items, quote, customerId }: Priced,
): Promise<RenewalPlacement> {
  const { open, known } = await openRenewal(services, request, { items, quote })
  if (open) return { kind: "placed", order: open }
  try {
    const renewal = newServiceOrder<NewRenewal>(services, {
      ...fieldsOfRequest(request, customerId),
      holdReason: await holdReason(services, request, customerId),
      items,
      known,
      quote,
      buyer: await buyerPlaceOfCustomer(services, customerId, request.buyer),
    })
    return { kind: "placed", order: await services.billing.placeRenewal(renewal) }
  } catch (error) {
    // It was ordered in another window at the same time.
    if (error instanceof ConcurrentRenewal)
      return orderRenewal(services, request, { items, quote, customerId })
    // A service has been terminated in the meantime, or the key belongs to another customer's order.
    if (!isRefusedByBilling(error)) throw error
    return rejected("form", NOT_RENEWABLE)
  }
}

/**
 * An unpaid order for the same services, plans, cycles and total: the session's current one, or one from another browser. So the same
 * renewal is not paid twice by accident, and two payments of it are one term and account credit. An order of a signed-in
 * customer, or one that has used account credit, is not handed to others, and one without account credit that its customer may use by
 * now is replaced. `known`: the unpaid renewals of the first service.
 */
async function openRenewal(
  services: LoggedServices,
  request: RenewalRequest,
  { items, quote }: { items: readonly RenewalItem[]; quote: Quote },
): Promise<{ open: Order | null; known: readonly string[] }> {
  const { billing, now } = services
  const { orderId, customer } = request
  const [first] = items
  const current = orderId ? await billing.order(orderId) : null
  const others = first ? await billing.unpaidRenewals(first.serviceId, now()) : []
  const shared = others.filter(
    ({ customerId, accessScope, credited }) =>
      (accessScope === null && credited.minor === 0) || scopeFor(customerId, customer) !== null,
  )
  const known = others.map(({ id }) => id)
  for (const open of [current, ...shared]) {
    const isSame = open && isQuoted(open, quote) && (await isFor(billing, open, items))
    if (isSame && !(await prepareReplacement(services, request, open))) return { open, known }
  }
  return { open: null, known }
}

/** Whether an order has the total and the plans of a quote: the plan may have changed since to one of the same price. */
function isQuoted({ total, lines }: Order, quote: Quote): boolean {
  const planOf = (line: QuoteLine | undefined) =>
    line?.kind === "renewal" ? `${line.productId} ${line.months}` : null
  return sameAmount(total, quote.total) && quote.lines.every((line, at) => planOf(lines[at]) === planOf(line))
}

/** Whether an order can be paid and renews these services for these cycles. */
async function isFor(
  billing: LoggedServices["billing"],
  { id, kind, status }: Order,
  items: readonly RenewalItem[],
): Promise<boolean> {
  if (kind !== "renewal" || !payableStatuses.includes(status)) return false
  const ordered = await billing.renewalItems(id)
  return (
    ordered.length === items.length &&
    items.every(({ serviceId, cycles }, at) => {
      const other = ordered[at]
      return other?.serviceId === serviceId && other.cycles === cycles
    })
  )
}
