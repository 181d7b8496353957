import { monthsOf } from "~/domain/billing-cycle"
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
  SUCCESS,
  serviceBy,
  suffixOf,
} from "./installation"
import { addInvoice } from "./invoice-operations"
import { decimal, flag, text, textsOf, WhmcsError } from "./params"
import type { Fields } from "./php-form"
import { type Chosen, nextId, type Service, type Upgrade } from "./state"
import { completeUpgrade } from "./upgrade-operations"

const UNPAID = "Unable to accept upgrade order. Previous upgrade invoice for service is still unpaid."

/** Upgrades a service's options for its current period. Product upgrades are not simulated. */
export const upgradeProduct: Action = (installation, params) => {
  const service = serviceBy(installation, text(params, "serviceid"))
  const gateway = gatewayIn(installation, params)
  const type = text(params, "type")
  if (type === "product") throw new WhmcsError("The simulator changes configurable options only")
  if (type !== "configoptions") throw new WhmcsError("Invalid Upgrade Type")
  const waits = isWaiting(installation, service)
  const request = requestedUpgrade(installation, service, params)
  if (flag(params, "calconly")) return { ...SUCCESS, price: request.shown, upgradeinprogress: waits ? 1 : 0 }
  if (waits) throw new WhmcsError(UNPAID)
  return { ...SUCCESS, price: request.shown, ...ordered(installation, service, { ...request, gateway }) }
}

function isWaiting({ state }: Installation, { id }: Service): boolean {
  return state.upgrades.some(({ serviceId, status, invoiceId }) => {
    const invoice = state.invoices.find((it) => it.id === invoiceId)
    return serviceId === id && status === "Pending" && invoice?.status === "Unpaid"
  })
}

type UpgradeRequest = { options: Record<string, Chosen>; difference: number; price: number; shown: string }

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
  return { options, difference, price, shown: `${prefixOf(currency)}${decimal(price)}${suffixOf(currency)}` }
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
  return { id: String(upgrade.id), orderid: id, order_number: number, invoiceid: upgrade.invoiceId || null }
}

function invoiceFor(
  installation: Installation,
  service: Service,
  request: UpgradeRequest & { gateway: string; relid: number },
): number {
  const { name } = itemOf(installation, service.pid)
  const description = `Upgrade/Downgrade Configurable Options: ${name}`
  const item = {
    type: "Upgrade",
    relid: request.relid,
    description,
    amount: request.price,
    taxed: false,
  } as const
  return addInvoice(installation, { clientId: service.clientId, gateway: request.gateway, items: [item] }).id
}
