import { cycles, monthsOf } from "~/domain/catalogue/billing-cycle"
import type { Currency } from "~/domain/money/money"
import { orderNumber } from "./add-order"
import { daysBetween, monthsAfter } from "./clock"
import { chosenIn, optionsPrice } from "./config-options"
import {
  type Action,
  clientBy,
  gatewayIn,
  type Installation,
  itemOf,
  prefixOf,
  priceIn,
  SUCCESS,
  serviceBy,
  suffixOf,
} from "./installation"
import { addInvoice } from "./invoice-operations"
import { decimal, flag, text, textsOf, WhmcsError } from "./params"
import type { Fields } from "./php-form"
import { type Chosen, nextId, type Service, type Upgrade, type UpgradedPlan } from "./state"
import { completeUpgrade } from "./upgrade-operations"

const UNPAID = "Unable to accept upgrade order. Previous upgrade invoice for service is still unpaid."

/** Upgrades a service's options for its current period, or moves it to another product or cycle. */
export const upgradeProduct: Action = (installation, params) => {
  const service = serviceBy(installation, text(params, "serviceid"))
  const gateway = gatewayIn(installation, params)
  const type = text(params, "type")
  if (type !== "configoptions" && type !== "product") throw new WhmcsError("Invalid Upgrade Type")
  const refusal = installation.quirks.refusesUpgrades
  if (refusal !== null) throw new WhmcsError(refusal)
  const waits = isWaiting(installation, service)
  const request =
    type === "product"
      ? requestedPlan(installation, service, params)
      : requestedUpgrade(installation, service, params)
  if (flag(params, "calconly")) return { ...SUCCESS, price: request.shown, upgradeinprogress: waits ? 1 : 0 }
  rejectUnlessOrderable(installation, waits)
  return { ...SUCCESS, price: request.shown, ...ordered(installation, service, { ...request, gateway }) }
}

function rejectUnlessOrderable({ quirks }: Installation, waits: boolean): void {
  const refusal = waits ? UNPAID : quirks.refusesUpgradeOrders
  if (refusal !== null) throw new WhmcsError(refusal)
}

function isWaiting({ state }: Installation, { id }: Service): boolean {
  return state.upgrades.some(({ serviceId, status, invoiceId }) => {
    const invoice = state.invoices.find((it) => it.id === invoiceId)
    return serviceId === id && status === "Pending" && invoice?.status === "Unpaid"
  })
}

type UpgradeRequest = {
  options: Record<string, Chosen>
  difference: number
  price: number
  shown: string
  plan: UpgradedPlan | null
}

/**
 * Another product or cycle, with the options that it has too. In the same cycle the difference is charged for the days that are
 * left; otherwise a new period begins, less what those days are worth.
 */
function requestedPlan(installation: Installation, service: Service, params: Fields): UpgradeRequest {
  const item = installation.items.find(({ id }) => id === text(params, "newproductid"))
  const cycle = cycles.find((it) => it === text(params, "newproductbillingcycle"))
  const { currency } = clientBy(installation, String(service.clientId))
  const base = item && cycle ? priceIn(item.pricing, currency, cycle) : null
  if (!item || !cycle || base === null) throw new WhmcsError("Invalid new product or billing cycle")
  const kept = item.options.flatMap(({ id }) => (service.options[id] ? [[id, service.options[id]]] : []))
  const options = { ...chosenIn(item, new Map(), false), ...Object.fromEntries(kept) }
  const recurring = base + optionsPrice(item, options, { currency, cycle })
  const share = shareLeft(installation, service)
  const isSameCycle = cycle === service.cycle
  const charge = isSameCycle ? recurring * share : recurring
  const price = Math.round(charge - service.recurring * share)
  const nextDue = isSameCycle ? service.nextDue : monthsAfter(installation.clock.day(), monthsOf(cycle))
  return {
    options,
    difference: recurring - service.recurring,
    price,
    shown: shownPrice(price, currency),
    plan: { pid: item.id, cycle, nextDue },
  }
}

const shownPrice = (price: number, currency: Currency) =>
  `${prefixOf(currency)}${decimal(price)}${suffixOf(currency)}`

function requestedUpgrade(installation: Installation, service: Service, params: Fields): UpgradeRequest {
  const item = itemOf(installation, service.pid)
  const { currency } = clientBy(installation, String(service.clientId))
  const sent = textsOf(params, "configoptions")
  const all = chosenIn(item, sent, false)
  const changed = Object.entries(all).filter(([id]) => sent.has(id))
  const options = { ...service.options, ...Object.fromEntries(changed) }
  const terms = { currency, cycle: service.cycle }
  const difference = optionsPrice(item, options, terms) - optionsPrice(item, service.options, terms)
  const price = Math.round(difference * shareLeft(installation, service))
  return { options, difference, price, shown: shownPrice(price, currency), plan: null }
}

/** Remaining share of the paid period in whole days; one-time payments have no end. */
function shareLeft({ clock }: Installation, { cycle, nextDue }: Service): number {
  if (cycle === "onetime" || cycle === "free") return 1
  const total = daysBetween(monthsAfter(nextDue, -monthsOf(cycle)), nextDue)
  return Math.max(0, daysBetween(clock.day(), nextDue)) / total
}

function ordered(
  installation: Installation,
  service: Service,
  request: UpgradeRequest & { gateway: string },
) {
  const upgrade: Upgrade = {
    id: nextId(installation.state.upgrades),
    serviceId: service.id,
    options: request.options,
    recurringChange: request.difference,
    plan: request.plan,
    invoiceId: 0,
    status: "Pending",
  }
  installation.state.upgrades.push(upgrade)
  if (request.price > 0)
    upgrade.invoiceId = invoiceFor(installation, service, { ...request, relid: upgrade.id })
  const id = nextId(installation.state.orders)
  const number = orderNumber()
  installation.state.orders.push({
    id,
    number,
    clientId: service.clientId,
    date: installation.clock.stamp(),
    promotion: null,
    amount: Math.max(0, request.price),
    gateway: request.gateway,
    invoiceId: upgrade.invoiceId,
    status: "Pending",
    address: "",
    notes: "",
    affiliateId: "",
    serviceIds: [],
  })
  if (upgrade.invoiceId === 0) completeUpgrade(installation, upgrade.id)
  if (request.price < 0 && installation.quirks.creditsDowngrades)
    clientBy(installation, String(service.clientId)).credit -= request.price
  const order = installation.state.orders.find((it) => it.id === id)
  if (order && upgrade.invoiceId === 0) order.status = "Active"
  return { id: String(upgrade.id), orderid: id, order_number: number, invoiceid: upgrade.invoiceId || null }
}

function invoiceFor(
  installation: Installation,
  service: Service,
  request: UpgradeRequest & { gateway: string; relid: number },
): number {
  const { name } = itemOf(installation, service.pid)
  const description = request.plan
    ? `Upgrade/Downgrade: ${name} => ${itemOf(installation, request.plan.pid).name}`
    : `Upgrade/Downgrade Configurable Options: ${name}`
  const item = {
    type: "Upgrade",
    relid: request.relid,
    description,
    amount: request.price,
    taxed: true,
  } as const
  return addInvoice(installation, { clientId: service.clientId, gateway: request.gateway, items: [item] }).id
}
