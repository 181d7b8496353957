import { isRefusedByBilling } from "~/billing/billing"
import type { Catalogue } from "~/billing/catalogue/catalogue"
import type { Customers } from "~/billing/customers/customers"
import type { NewPlanChange, PlanChanges, PlanFacts } from "~/billing/services/plan-changes"
import type { LoggedServices, Services } from "~/context/services.server"
import { HOUR, type Instant } from "~/domain/calendar"
import { type Cycle, cycles } from "~/domain/catalogue/billing-cycle"
import { type Product, plansOffered } from "~/domain/catalogue/catalogue"
import { REFUSED_PLAN_CHANGE } from "~/domain/forms/renewal-fields"
import type { Money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import {
  changeableFrom,
  type NextPlan,
  type PlanChange,
  type PlanTarget,
  planChange,
  planChangeQuote,
} from "~/domain/services/plan-change"
import { cataloguePrice, renewalPrice } from "~/domain/services/renewal"
import type { Service } from "~/domain/services/service"
import { isTrial, type Term } from "~/domain/services/term"
import { withoutTax } from "~/domain/tax/net-prices"
import { creditCoversServiceOrder } from "~/flows/checkout/available-credit.server"
import { buyerPlaceOfCustomer } from "~/flows/checkout/buyer-place-of-customer.server"
import { holdReason } from "~/flows/checkout/check-fraud.server"
import { newServiceOrder } from "~/flows/checkout/new-order.server"
import { pricesOfBusiness } from "~/flows/checkout/priced-for.server"
import { rateOff } from "~/flows/checkout/tax-of-quote.server"
import { refusedGateway } from "~/flows/payments/available-gateways.server"
import {
  fieldsOfRequest,
  orSentBefore,
  rejected,
  type ServiceOrderRequest,
  type ServicePlacement,
} from "./service-order.server"

/**
 * What a service may be changed to at a time, with all figures. Prices of a cycle are the catalogue's; what is to be paid now is
 * without tax for a business that owes it itself.
 */
export type PlanChoices = {
  readonly present: PlanTarget
  readonly next: NextPlan | null
  /** Why no change takes effect at present, and from when on one does; null: it does. */
  readonly wait: { readonly reason: "changed" | "trial"; readonly until: Instant } | null
  /** In the order of the catalogue and of the cycles. */
  readonly changes: readonly PlanChange[]
}

type Choosing = Pick<Services, "now" | "vatNumbers"> & {
  readonly billing: Pick<PlanChanges, "planFacts"> & Pick<Customers, "businessOf">
  readonly shop: Pick<Services["shop"], "terms" | "timeZone" | "tax">
}

type ChangeableService = Service & { readonly cycle: Cycle; readonly term: Term }

/**
 * What a service may be changed to at `at`, at the prices of `priceList`: the cached catalogue for display, billing for orders.
 * Null: it is not active, has no end, or belongs to an external billing system, which has plans of its own.
 */
export async function planChoices(
  services: Choosing,
  priceList: Pick<Catalogue, "plans">,
  { service, at }: { readonly service: Service; readonly at: Instant },
): Promise<PlanChoices | null> {
  const { billing, shop } = services
  const changeable = changeableAt(service, at)
  if (shop.terms === null || changeable === null) return null
  const [facts, buyer] = await Promise.all([
    billing.planFacts(service.id, at),
    buyerPlaceOfCustomer(services, service.customerId),
  ])
  const products = await pricesOfBusiness(services, priceList, buyer).plans()
  const price = facts && presentPrice(changeable, { facts, products, at })
  if (!facts || !price) return null
  const { unused, next, trialEnd } = facts
  const { planChange: policy, timeZone: zone } = shop.terms
  const { productId, name, cycle, term } = changeable
  const present = { productId, name, cycle, price }
  // A plan whose terms are paid already follows.
  const targets = next && next.startsAt !== null ? [] : targetsOf(changeable, products)
  const net = <T extends { readonly productId: string; readonly price: Money }>(plan: T): T => ({
    ...plan,
    price: withoutTax(plan.price, rateOff(services, plan.productId, buyer)),
  })
  return {
    present,
    next,
    wait: waitOf(facts, at),
    changes: targets
      // The figures of paid time that has not begun are those of its begin.
      .map((target) => {
        const change = planChange(
          { ...net(present), term, at: trialEnd ?? at, zone, unused, policy },
          net(target),
        )
        return change && { ...change, price: target.price }
      })
      .filter((it) => it !== null),
  }
}

function waitOf({ trialEnd, changedAt }: PlanFacts, at: Instant): PlanChoices["wait"] {
  if (trialEnd !== null) return { reason: "trial", until: trialEnd }
  const until = changeableFrom(changedAt, at)
  return until === null ? null : { reason: "changed", until }
}

type Others = {
  readonly billing: Pick<PlanChanges, "planFacts">
  readonly shop: Pick<Services["shop"], "terms">
}

/**
 * Whether a service has another plan or cycle to change to, without the figures. `isRenewable`: a plan's order has created it, which
 * spares the question whether one has; a reseller's line is of none.
 */
export async function hasOtherPlans(
  { billing, shop }: Others,
  priceList: Pick<Catalogue, "plans">,
  {
    service,
    at,
    isRenewable,
  }: { readonly service: Service; readonly at: Instant; readonly isRenewable: boolean },
): Promise<boolean> {
  const changeable = changeableAt(service, at)
  if (shop.terms === null || changeable === null) return false
  if (!isRenewable && (await billing.planFacts(service.id, at)) === null) return false
  return targetsOf(changeable, await priceList.plans()).some(
    ({ productId, cycle }) => productId !== service.productId || cycle !== service.cycle,
  )
}

/** The service, if it is an active plan with an end that is to come, and paid: a free trial is paid first. */
function changeableAt(service: Service, at: Instant): ChangeableService | null {
  const { cycle, term, status, kind, paidUntil } = service
  if (status !== "Active" || kind !== "plan" || paidUntil === null || paidUntil <= at) return null
  return cycle === null || term === null || isTrial(term) ? null : { ...service, cycle, term }
}

type Priced = { readonly facts: PlanFacts; readonly products: readonly Product[]; readonly at: Instant }

/** What one cycle costs now, before the discount. */
function presentPrice(service: ChangeableService, { facts, products, at }: Priced): Money | null {
  const own = products.find(({ id }) => id === service.productId)
  const price = own ? cataloguePrice(service, own) : null
  return renewalPrice(facts.terms, { policy: own?.renewalPrice ?? "kept", price }, at)
}

/** The plans on sale in all their cycles, with the extras that the service has. */
function targetsOf(service: ChangeableService, products: readonly Product[]): readonly PlanTarget[] {
  const offered = plansOffered(products, service.currency).map(({ id }) => id)
  return products
    .filter(({ id, payType, renewalPrice: policy }) => {
      const isOnSale = offered.includes(id) || id === service.productId
      return isOnSale && payType === "recurring" && policy !== "none"
    })
    .flatMap((product) =>
      cycles.flatMap((cycle) => {
        const price = cataloguePrice({ ...service, cycle }, product)
        return price ? [{ productId: product.id, name: product.name, cycle, price }] : []
      }),
    )
}

/** A plan as the page has shown it. */
type ShownPlan = Pick<PlanTarget, "productId" | "cycle"> & {
  /** Of one cycle, in minor units. */
  readonly price: number
}

/** The change to a plan that was shown; undefined if it is not to be had like that any more. */
function changeTo(
  choices: PlanChoices | null,
  { productId, cycle, price }: ShownPlan,
): PlanChange | undefined {
  if (choices === null || choices.wait !== null) return undefined
  return choices.changes.find(
    (it) => it.productId === productId && it.cycle === cycle && it.price.minor === price,
  )
}

export type PlanChangeRequest = ServiceOrderRequest & {
  /** Ownership has been checked. */
  readonly service: Service
  readonly shown: ShownPlan & {
    readonly at: Instant
    /** What was to be paid, in minor units. */
    readonly due: number
  }
}

export type PlanChangePlacement = ServicePlacement<"form" | "gateway">

/** Figures count for so long after they were shown. */
const SHOWN_FOR = HOUR

const refusal = rejected("form", REFUSED_PLAN_CHANGE)

/** Orders a change of plan that takes effect now, at the figures that were shown. Idempotent by `key`. */
export async function changePlan(
  services: LoggedServices,
  request: PlanChangeRequest,
): Promise<PlanChangePlacement> {
  const placement = await placeNew(services, request)
  return orSentBefore(services, placement, { ...request, kind: "plan-change" })
}

async function placeNew(services: LoggedServices, request: PlanChangeRequest): Promise<PlanChangePlacement> {
  const change = await changeShown(services, request)
  if (!change) return refusal
  const ordered = { customerId: request.service.customerId, total: change.due }
  const covered = () => creditCoversServiceOrder(services, request, ordered)
  const refused = await refusedGateway(services, request.gateway, covered)
  if (refused) return refused
  const order = await placePlanChange(services, request, change)
  return order ? { kind: "placed", order } : refusal
}

/** Null: the figures are not those that were shown. */
async function changeShown(services: LoggedServices, { service, shown }: PlanChangeRequest) {
  const { billing, now } = services
  if (shown.at > now() || now() - shown.at > SHOWN_FOR) return null
  const change = changeTo(await planChoices(services, billing, { service, at: shown.at }), shown)
  return change?.when === "now" && change.due.minor === shown.due ? change : null
}

async function placePlanChange(
  services: LoggedServices,
  request: PlanChangeRequest,
  change: NonNullable<Awaited<ReturnType<typeof changeShown>>>,
): Promise<Order | null> {
  const { service, shown } = request
  const { customerId } = service
  const { productId, name, cycle, price, kind, credit, term, until } = change
  const order = newServiceOrder<NewPlanChange>(services, {
    ...fieldsOfRequest(request, customerId),
    holdReason: await holdReason(services, request, customerId),
    serviceId: service.id,
    buyer: await buyerPlaceOfCustomer(services, customerId, request.buyer),
    quote: planChangeQuote(change, service),
    target: { productId, name, cycle, price },
    kind,
    credit,
    from: shown.at,
    term,
    until,
  })
  try {
    return await services.billing.placePlanChange(order)
  } catch (error) {
    // It was changed, renewed or refunded meanwhile, or the key belongs to another customer's order.
    if (!isRefusedByBilling(error)) throw error
    return null
  }
}

/** Stores the plan that follows when the paid time of a service ends. False: it is not to be had as it was shown. */
export async function chooseNextPlan(
  services: LoggedServices,
  service: Service,
  shown: ShownPlan,
): Promise<boolean> {
  const { billing, now } = services
  const choices = await planChoices(services, billing, { service, at: now() })
  const change = changeTo(choices && { ...choices, wait: null }, shown)
  if (change?.when !== "at-end") return false
  const { productId, name, cycle, price } = change
  const { connections } = service
  return billing.chooseNextPlan(service.id, { productId, name, cycle, price, connections }, now())
}
