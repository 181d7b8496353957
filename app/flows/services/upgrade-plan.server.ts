import { isRefusedByBilling } from "~/billing/billing"
import type { Catalogue } from "~/billing/catalogue/catalogue"
import type { InvoiceRenewals } from "~/billing/services/invoice-renewals"
import type { NewPlanUpgrade, PlanUpgrades } from "~/billing/services/plan-upgrades"
import type { LoggedServices } from "~/context/services.server"
import { type Cycle, cycleOfMonths, cycles, monthsOf } from "~/domain/catalogue/billing-cycle"
import { type Product, plansOffered } from "~/domain/catalogue/catalogue"
import { scopeFor } from "~/domain/customers/customer"
import { NOT_MADE_PLAN_CHANGE, REFUSED_PLAN_CHANGE } from "~/domain/forms/renewal-fields"
import { type Money, money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { type PlanTarget, planChangeLine } from "~/domain/services/plan-change"
import type { Service } from "~/domain/services/service"
import { type CreditIdentity, creditCoversServiceOrder } from "~/flows/checkout/available-credit.server"
import { newServiceOrder } from "~/flows/checkout/new-order.server"
import { refusedGateway } from "~/flows/payments/available-gateways.server"
import { cancelUnpaidOrder } from "~/flows/payments/cancel-order.server"
import { lacksUsableCredit, tryToCancel } from "./replace-unpaid-order.server"
import {
  fieldsOfRequest,
  isOfForm,
  rejected,
  type ServiceOrderRequest,
  type ServicePlacement,
} from "./service-order.server"

/** What a service of external billing may be changed to. `price` of a target: the catalogue's, without extras. */
export type UpgradeChoices = {
  /** A change that waits for its payment: no other one can be ordered. */
  readonly open: Order | null
  /** A renewal of the service is unpaid: it comes first. */
  readonly isInvoiced: boolean
  readonly targets: readonly PlanTarget[]
}

type Choosing = Pick<LoggedServices, "now"> & {
  readonly planUpgrades: Pick<PlanUpgrades, "openUpgrade"> | null
  readonly invoiceRenewals: Pick<InvoiceRenewals, "renewalInvoices"> | null
}

/**
 * What a service may be changed to in external billing. Null: that cannot change plans, or the service is not active, a reseller's,
 * or without a next due date.
 */
export async function upgradeChoices(
  { planUpgrades, invoiceRenewals, now }: Choosing,
  priceList: Pick<Catalogue, "plans">,
  { service, read }: { readonly service: Service; readonly read: "shown" | "current" },
): Promise<UpgradeChoices | null> {
  const { status, kind, cycle, paidUntil, customerId } = service
  if (!planUpgrades || status !== "Active" || kind !== "plan" || cycle === null || paidUntil === null)
    return null
  const [open, unpaid, products] = await Promise.all([
    planUpgrades.openUpgrade(service.id, now()),
    invoiceRenewals?.renewalInvoices(customerId, read) ?? [],
    priceList.plans(),
  ])
  return {
    open,
    isInvoiced: unpaid.some(({ items }) => items.some(({ serviceId }) => serviceId === service.id)),
    targets: targetsOf(service, products),
  }
}

/** The plans on sale in all their cycles, but not the present one. */
function targetsOf(service: Service, products: readonly Product[]): readonly PlanTarget[] {
  const { currency, productId } = service
  const offered = plansOffered(products, currency).map(({ id }) => id)
  return products
    .filter(({ id, payType }) => payType === "recurring" && (offered.includes(id) || id === productId))
    .flatMap(({ id, name, pricing }) =>
      cycles.flatMap((cycle) => {
        const minor = pricing[currency]?.[cycle]
        const isPresent = id === productId && cycle === service.cycle
        return minor === undefined || isPresent
          ? []
          : [{ productId: id, name, cycle, price: money(minor, currency) }]
      }),
    )
}

/** What external billing says of a change. */
export type PricedUpgrade =
  | { readonly kind: "priced"; readonly price: Money }
  /** An earlier change is unpaid there, or it does not allow this one. */
  | { readonly kind: "blocked" | "refused" }

type UpgradeChoice = {
  readonly service: Service
  readonly target: Pick<PlanTarget, "productId" | "cycle">
  readonly gateway: GatewayId
}

/** What external billing charges for a change now; orders nothing. */
export async function upgradePrice(
  planUpgrades: PlanUpgrades,
  { service, target: { productId, cycle }, gateway }: UpgradeChoice,
): Promise<PricedUpgrade> {
  const { customerId, id: serviceId } = service
  try {
    const asked = { customerId, serviceId, productId, cycle, gateway }
    const { price, isBlocked } = await planUpgrades.priceUpgrade(asked)
    return isBlocked ? { kind: "blocked" } : { kind: "priced", price }
  } catch (error) {
    if (!isRefusedByBilling(error)) throw error
    return { kind: "refused" }
  }
}

export type UpgradeRequest = ServiceOrderRequest & {
  /** Ownership has been checked. */
  readonly service: Service
  readonly shown: {
    readonly productId: string
    readonly cycle: Cycle
    /** The price that external billing had named, in minor units. */
    readonly due: number
  }
}

type Upgrading = LoggedServices & { readonly planUpgrades: PlanUpgrades }

const refusal = rejected("form", REFUSED_PLAN_CHANGE)

/**
 * Orders a change of plan in external billing at the price that was shown, which is asked for again. An unpaid change to the same plan
 * is continued, unless `isWithoutCredit`: then it is cancelled, and another one takes its place. Idempotent by `key`.
 */
export async function upgradePlan(services: Upgrading, request: UpgradeRequest): Promise<UpgradePlacement> {
  const { billing } = services
  const { service, key } = request
  const placed = await billing.orderByIdempotencyKey(key)
  if (placed)
    return isOfForm(placed, { kind: "plan-change", service }) ? { kind: "placed", order: placed } : refusal
  const choices = await upgradeChoices(services, billing, { service, read: "current" })
  return choices?.open
    ? continueOrReplace(services, request, { ...choices, open: choices.open })
    : orderUpgrade(services, request, choices)
}

type UpgradePlacement = ServicePlacement<"form" | "gateway">

async function orderUpgrade(
  services: Upgrading,
  request: UpgradeRequest,
  choices: UpgradeChoices | null,
): Promise<UpgradePlacement> {
  const { gateway, service } = request
  const refused = await refusedGateway(services, gateway, () => isCovered(services, request))
  if (refused) return refused
  const target = targetOf(choices, request)
  if (!target) return refusal
  const priced = await upgradePrice(services.planUpgrades, { service, target, gateway })
  if (priced.kind !== "priced" || priced.price.minor !== request.shown.due) return refusal
  return placeUpgrade(services, request, target)
}

async function continueOrReplace(
  services: Upgrading,
  request: UpgradeRequest,
  choices: UpgradeChoices & { readonly open: Order },
): Promise<UpgradePlacement> {
  const { open } = choices
  const { service, gateway } = request
  const isReplaced = isShown(open, request) && (await isWithoutCredit(services, request, { open, service }))
  const covered = async () => isReplaced && isCovered(services, request)
  const refused = await refusedGateway(services, gateway, covered)
  if (refused) return refused
  return isReplaced && (await tryToCancel(services, open))
    ? orderUpgrade(services, request, choices)
    : continued(open, request)
}

/**
 * Whether the session's own unpaid change was placed without account credit which its customer may use now, before they signed in or had
 * any, and external billing still names the same price. One of another browser is left to that one: external billing has one at a time.
 */
export async function isWithoutCredit(
  services: Upgrading,
  visitor: CreditIdentity,
  { open, service }: { readonly open: Order; readonly service: Service },
): Promise<boolean> {
  const line = planChangeLine(open.lines)
  const cycle = line && cycleOfMonths(line.months)
  if (!cycle || open.id !== visitor.orderId) return false
  if (!(await lacksUsableCredit(services, visitor, open))) return false
  const { customerId, gateway, total } = open
  const asked = { customerId, serviceId: service.id, productId: line.productId, cycle, gateway }
  try {
    return (await services.planUpgrades.priceUpgrade(asked)).price.minor === total.minor
  } catch (error) {
    if (!isRefusedByBilling(error)) throw error
    return false
  }
}

/** Whether nothing is left to pay at a gateway of what the form showed. */
async function isCovered(services: Upgrading, request: UpgradeRequest): Promise<boolean> {
  const { customerId } = request.service
  return creditCoversServiceOrder(services, request, { customerId, total: totalOf(request) })
}

/** A price below zero costs nothing; what becomes of the difference is external billing's. */
function totalOf({ shown, service }: UpgradeRequest): Money {
  return money(Math.max(0, shown.due), service.currency)
}

function targetOf(choices: UpgradeChoices | null, { shown }: UpgradeRequest): PlanTarget | undefined {
  if (choices === null || choices.isInvoiced) return undefined
  return choices.targets.find(
    ({ productId, cycle }) => productId === shown.productId && cycle === shown.cycle,
  )
}

/** The unpaid order of the change that the form shows. One of a signed-in customer is not handed to others. */
function continued(open: Order, request: UpgradeRequest): ServicePlacement<"form"> {
  const { service, customer } = request
  const isTheirs = open.accessScope === null || scopeFor(service.customerId, customer) !== null
  return isShown(open, request) && isTheirs ? { kind: "placed", order: open } : refusal
}

function isShown(open: Order, { shown }: UpgradeRequest): boolean {
  const line = planChangeLine(open.lines)
  return (
    line?.productId === shown.productId &&
    line.months === monthsOf(shown.cycle) &&
    open.total.minor === Math.max(0, shown.due)
  )
}

async function placeUpgrade(
  services: Upgrading,
  request: UpgradeRequest,
  { productId, name, cycle }: PlanTarget,
): Promise<ServicePlacement<"form">> {
  const { customerId, id: serviceId } = request.service
  const total = totalOf(request)
  const upgrade = newServiceOrder<NewPlanUpgrade>(services, {
    ...fieldsOfRequest(request, customerId),
    serviceId,
    quote: {
      lines: [{ kind: "planChange", productId, name, months: monthsOf(cycle), amount: total }],
      total,
    },
  })
  try {
    return { kind: "placed", order: await services.planUpgrades.placeUpgrade(upgrade) }
  } catch (error) {
    // Named a price for it a moment ago, it refuses to make it; or the key belongs to another customer's order.
    if (!isRefusedByBilling(error)) throw error
    return rejected("form", NOT_MADE_PLAN_CHANGE)
  }
}

/** Cancels the unpaid change of a service, here and in external billing, unless money has come in. */
export async function cancelUpgrade(
  services: LoggedServices & { readonly planUpgrades: PlanUpgrades },
  service: Service,
): Promise<void> {
  const open = await services.planUpgrades.openUpgrade(service.id, services.now())
  if (open && open.received.minor === 0) await cancelUnpaidOrder(services, open.id)
}
