import { z } from "zod"
import { BillingError } from "~/billing/billing"
import type { PlacedExternally } from "~/billing/external/external-orders"
import type {
  ExternalUpgrade,
  ExternalUpgrades,
  PaidUpgrade,
  UpgradeTarget,
} from "~/billing/external/external-upgrades"
import type { UpgradePrice } from "~/billing/services/plan-upgrades"
import { MINUTE } from "~/domain/calendar"
import { cycleNamed } from "~/domain/catalogue/billing-cycle"
import { money } from "~/domain/money/money"
import type { FormFields } from "~/http/form-client.server"
import { displayedAmount } from "../client/displayed-amount"
import { Flag, Text } from "../client/response-schema"
import type { Whmcs } from "../context.server"
import type { WhmcsInvoice } from "../payments/invoice-schema"
import { adjustInvoiceTotal, invoiceAt, taxesIn } from "../payments/invoices.server"
import type { WhmcsService } from "../services/service-schema"
import { serviceAt } from "../services/services.server"
import { isSince } from "./find-order.server"
import { isMarked, noteOf } from "./order-mark"
import { UpgradeResponse, type WhmcsOrder } from "./order-schema"
import { ordersOf } from "./orders.server"
import { assertClientCurrency } from "./place-order.server"
import { acceptPending } from "./provision-upgrade.server"

const Priced = z.object({ price: Text, upgradeinprogress: Flag })

/** Tolerance for a slow WHMCS clock when matching an order without our mark. */
const LEEWAY = 10 * MINUTE

/** Changes of plan and cycle by UpgradeProduct, see https://developers.whmcs.com/api-reference/upgradeproduct/. */
export function planUpgrades(whmcs: Whmcs): Omit<ExternalUpgrades, "carryOutUpgrade"> {
  return {
    priceUpgrade: (target) => priceUpgrade(whmcs, target),
    placeUpgrade: (upgrade) => placeUpgrade(whmcs, upgrade),
    findUpgrade: (upgrade) => findUpgrade(whmcs, upgrade),
  }
}

function paramsOf({ serviceId, productId, cycle, gateway }: UpgradeTarget): FormFields {
  return {
    serviceid: serviceId,
    paymentmethod: gateway,
    type: "product",
    newproductid: productId,
    newproductbillingcycle: cycle,
  }
}

async function priceUpgrade(whmcs: Whmcs, target: UpgradeTarget): Promise<UpgradePrice> {
  await activeService(whmcs, target)
  const currency = await whmcs.currencies.of(target.customerId)
  if (currency === null)
    throw new BillingError("refused", `WHMCS client ${target.customerId} pays in an unknown currency`)
  const params = { ...paramsOf(target), calconly: true }
  const { price, upgradeinprogress } = await whmcs.api.read("UpgradeProduct", params, Priced)
  const minor = displayedAmount(price)
  if (minor === null)
    throw new BillingError("unreadable", "Invalid WHMCS response to UpgradeProduct: price is not an amount")
  return { price: money(minor, currency), isBlocked: upgradeinprogress }
}

/** UpgradeProduct takes no client id and asks for no status, so this checks both. */
async function activeService(whmcs: Whmcs, { customerId, serviceId }: UpgradeTarget): Promise<WhmcsService> {
  const service = await serviceAt(whmcs, { customerId, serviceId })
  if (service?.status === "active") return service
  throw new BillingError("refused", `Service ${serviceId} of this client not found in WHMCS, or not active`)
}

async function placeUpgrade(whmcs: Whmcs, upgrade: ExternalUpgrade): Promise<PlacedExternally> {
  const { customerId, total, serviceId } = upgrade
  await assertClientCurrency(whmcs, customerId, total.currency)
  await activeService(whmcs, upgrade)
  const made = await whmcs.api.write("UpgradeProduct", paramsOf(upgrade), UpgradeResponse)
  const { orderid: orderId, invoiceid: invoiceId } = made
  const placed = { orderId, invoiceId, serviceId, link: null }
  if (invoiceId === null) return placed
  const invoice = await invoiceAt(whmcs, { invoiceId, customerId })
  return { ...placed, taxes: taxesIn(await agree(whmcs, upgrade, invoice)) }
}

/** WHMCS adds taxes that `calconly` does not show; the mark makes the invoice known to `findUpgrade`. */
function agree(whmcs: Whmcs, upgrade: ExternalUpgrade, invoice: WhmcsInvoice): Promise<WhmcsInvoice> {
  return adjustInvoiceTotal(whmcs, invoice, { total: upgrade.total, mark: noteOf(upgrade) })
}

async function findUpgrade(whmcs: Whmcs, upgrade: ExternalUpgrade): Promise<PlacedExternally | null> {
  const { customerId, serviceId } = upgrade
  const candidates = (await ordersOf(whmcs, customerId)).filter(
    (order) =>
      !order.lineitems.some(({ type }) => type.toLowerCase() === "product") &&
      order.status !== "cancelled" &&
      isSince(whmcs, order, upgrade.at, LEEWAY),
  )
  for (const { id: orderId, invoiceid: invoiceId } of candidates) {
    if (invoiceId === null) continue
    const invoice = await invoiceAt(whmcs, { invoiceId, customerId })
    if (!isFor(upgrade, invoice)) continue
    const agreed = await agree(whmcs, upgrade, invoice)
    return { orderId, invoiceId, serviceId, link: null, taxes: taxesIn(agreed) }
  }
  return withoutInvoice(whmcs, upgrade, candidates)
}

/** The mark is set right after the call, so an invoice without any mark is the one whose response was lost, at its price. */
function isFor(upgrade: ExternalUpgrade, { notes, items }: WhmcsInvoice): boolean {
  if (notes.includes(noteOf(upgrade))) return true
  return (
    !isMarked(notes) &&
    items.some(({ type, amount }) => /upgrade/i.test(type) && amount === upgrade.total.minor)
  )
}

/** A change without anything to pay has no invoice: its order, or the service itself, shows that it was ordered. */
async function withoutInvoice(
  whmcs: Whmcs,
  upgrade: ExternalUpgrade,
  candidates: readonly WhmcsOrder[],
): Promise<PlacedExternally | null> {
  const { customerId, serviceId, total } = upgrade
  if (total.minor > 0) return null
  const order = candidates.find(({ invoiceid }) => invoiceid === null)
  const service = await serviceAt(whmcs, { customerId, serviceId })
  if (!order && !(service && hasPlan(service, upgrade))) return null
  return { orderId: order?.id ?? null, invoiceId: null, serviceId, link: null }
}

function hasPlan({ pid, billingcycle }: WhmcsService, { productId, cycle }: UpgradeTarget): boolean {
  return pid === productId && cycleNamed(billingcycle) === cycle
}

/** See `ExternalUpgrades.carryOutUpgrade`. Throws `BillingError` "refused" if WHMCS has the service with another client. */
export async function carryOutUpgrade(whmcs: Whmcs, paid: PaidUpgrade): Promise<boolean> {
  const { customerId, serviceId } = paid
  await acceptPending(whmcs, paid)
  const service = await serviceAt(whmcs, { customerId, serviceId })
  if (service) return hasPlan(service, paid)
  throw new BillingError("refused", `Service ${serviceId} of this client not found in WHMCS`)
}
