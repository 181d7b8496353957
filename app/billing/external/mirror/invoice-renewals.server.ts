import { LRUCache } from "lru-cache"
import { BillingError } from "~/billing/billing"
import type { ExternalInvoices, PaidExternalInvoice } from "~/billing/external/external-invoices"
import type { ExternalService } from "~/billing/external/external-services"
import type {
  InvoiceRenewals,
  InvoiceSettlement,
  NewInvoiceRenewal,
} from "~/billing/services/invoice-renewals"
import { type Instant, SECOND } from "~/domain/calendar"
import { type Money, money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { unpaidFinalStatuses } from "~/domain/orders/order-status"
import { nextPollAt } from "~/domain/payments/poll-schedule"
import { invoiceQuote, type RenewalInvoice } from "~/domain/services/renewal-invoice"
import type { Service } from "~/domain/services/service"
import type { MirrorContext } from "./context.server"
import { isDeclined } from "./decline-upgrade.server"
import { ensureExternalOrder, known } from "./ensure-external-order.server"
import type { ExternalOrderRow } from "./external-order-row"
import { toExternalUpgrade } from "./order-mapping.server"
import { refreshServices } from "./services.server"
import { underSettlementClaim } from "./settlement-claim.server"

/** How long the fetched invoices of a customer count as fresh, in milliseconds. */
const GOOD_FOR = 10 * SECOND

/** Renewals by the invoices of the external system. Its due dates are copied, never computed. */
export function mirrorInvoiceRenewals(mirror: MirrorContext, invoices: ExternalInvoices): InvoiceRenewals {
  const shown = new LRUCache<string, readonly RenewalInvoice[]>({
    max: 1_000,
    ttl: GOOD_FOR,
    fetchMethod: (customerId) => payableInvoices(mirror, invoices, customerId),
  })
  return {
    async renewalInvoices(customerId, read) {
      if (read === "shown") {
        const known = (await shown.fetch(customerId).catch((error) => none(mirror, error))) ?? []
        return withoutOrdered(mirror, known, customerId)
      }
      const current = await payableInvoices(mirror, invoices, customerId)
      const open = new Set(current.map(({ invoiceId }) => invoiceId))
      // Paid there, it has moved the date of its services.
      if (shown.get(customerId)?.some(({ invoiceId }) => !open.has(invoiceId)))
        await refreshServices(mirror, customerId)
      shown.set(customerId, current)
      return current
    },
    openInvoiceRenewal: ({ invoice: { invoiceId, balance: total }, replaced = [], ...request }) =>
      mirror.store.openInvoiceRenewal({ ...request, invoiceId, total, replaced }),
    placeInvoiceRenewal: (renewal) => placeInvoiceRenewal(mirror, renewal),
    async settleInvoiceRenewal(orderId, at) {
      const settlement = await settle(mirror, invoices, { orderId, at })
      shown.delete((await orderOf(mirror, orderId)).customerId)
      return settlement
    },
  }
}

/** During an outage, pages offer no payment of invoices. */
function none({ log }: MirrorContext, error: unknown): readonly RenewalInvoice[] {
  if (!(error instanceof BillingError)) throw error
  log.warn({ kind: error.kind, reason: error.message }, "external billing: invoices unavailable")
  return []
}

/** Without the invoices that local orders pay: one may have been paid here since they were read. */
async function withoutOrdered(
  { store }: MirrorContext,
  unpaid: readonly RenewalInvoice[],
  customerId: string,
): Promise<readonly RenewalInvoice[]> {
  if (unpaid.length === 0) return []
  const serviceIds = unpaid.flatMap(({ items }) => items.map(({ serviceId }) => serviceId))
  const ordered = await store.invoicesOfOrders({ customerId, serviceIds })
  return unpaid.filter(({ invoiceId }) => !ordered.includes(invoiceId))
}

/** Invoices that local orders pay are left out, and services that the mirror does not have. */
async function payableInvoices(
  mirror: MirrorContext,
  invoices: ExternalInvoices,
  customerId: string,
): Promise<readonly RenewalInvoice[]> {
  const { local } = mirror
  const others = await withoutOrdered(mirror, await invoices.unpaidRenewals(customerId), customerId)
  const ids = new Set(others.flatMap(({ items }) => items.map(({ serviceId }) => serviceId)))
  const services = await Promise.all([...ids].map((id) => local.billing.service(id)))
  const own = new Set(services.flatMap((it) => (it?.customerId === customerId ? [it.id] : [])))
  return others
    .map((it) => ({ ...it, items: it.items.filter(({ serviceId }) => own.has(serviceId)) }))
    .filter(({ items }) => items.length > 0)
}

async function placeInvoiceRenewal(
  { store, local }: MirrorContext,
  renewal: NewInvoiceRenewal,
): Promise<Order> {
  const { invoice, replaced = [], ...request } = renewal
  const { items, invoiceId, taxes } = invoice
  const found = await Promise.all(items.map(({ serviceId }) => local.billing.service(serviceId)))
  const services = found.filter((it): it is Service => it?.customerId === renewal.customerId)
  if (services.length !== items.length)
    throw new BillingError("refused", "The invoice renews no service of the customer")
  return store.placeInvoiceRenewal({
    ...request,
    items,
    invoiceId,
    taxes,
    replaced,
    quote: invoiceQuote(invoice, services),
    holdReason: null,
    pollAt: nextPollAt(request.at, request.at),
  })
}

type Paid = { readonly orderId: string; readonly at: Instant }

async function orderOf({ local }: MirrorContext, orderId: string): Promise<Order> {
  const order = await local.billing.order(orderId)
  if (!order) throw new BillingError("refused", `Order not found: ${orderId}`)
  return order
}

async function settle(
  mirror: MirrorContext,
  invoices: ExternalInvoices,
  { orderId, at }: Paid,
): Promise<InvoiceSettlement> {
  const { store, log } = mirror
  const order = await orderOf(mirror, orderId)
  const nothing = { credited: money(0, order.total.currency) }
  if (order.kind === "plan-change" && !(await isMadeThere(mirror, order))) return nothing
  const row = await store.externalOrder(orderId)
  const paid = await paidInvoice(mirror, { order, invoiceId: row?.their_invoice_id ?? null, at })
  const settlement = paid
    ? await underSettlementClaim(mirror, orderId, (beforeWrite) => invoices.payInvoice(paid, beforeWrite))
    : nothing
  const { credited } = settlement
  if (order.kind === "plan-change" && !isAllCredit(order, credited)) await carriedOut(mirror, order, row)
  const dueDates = await dueDatesOf(mirror, order)
  await store.completeInvoiceRenewal(order, { at, dueDates, credited })
  log.info(
    { orderId, externalInvoiceId: paid?.invoiceId ?? null, credited: credited.minor },
    "invoice settled in external billing",
  )
  return settlement
}

/** The order of a late payment may not exist there yet. False: external billing has refused a change without a price. */
async function isMadeThere(mirror: MirrorContext, order: Order): Promise<boolean> {
  if (unpaidFinalStatuses.includes(order.status)) return false
  try {
    await ensureExternalOrder(mirror, order.id)
    return true
  } catch (error) {
    if (error instanceof BillingError && (await isDeclined(mirror, order, error))) return false
    throw error
  }
}

/** Nothing was done for a payment that became credit. */
function isAllCredit({ total }: Order, credited: Money): boolean {
  return credited.minor > 0 && credited.minor >= total.minor
}

/** External billing changes the plan itself. Until it has, the money is recorded there, and the job looks again. */
async function carriedOut(mirror: MirrorContext, order: Order, row: ExternalOrderRow | null): Promise<void> {
  const { upgrades } = mirror.externalBilling
  const it = await known(mirror, order.id)
  const { kind, id: number } = order
  const { username } = it.service
  const names = { orderId: row?.their_order_id ?? null, invoiceId: row?.their_invoice_id ?? null }
  if (!(await upgrades?.carryOutUpgrade({ ...toExternalUpgrade(it), ...names, kind, number, username })))
    throw new BillingError("unavailable", "The plan is paid, and external billing has not changed it yet")
}

type Invoiced = { readonly order: Order; readonly invoiceId: string | null; readonly at: Instant }

/** Null: a change of plan for which nothing was to be paid. */
async function paidInvoice(
  mirror: MirrorContext,
  { order, invoiceId, at }: Invoiced,
): Promise<PaidExternalInvoice | null> {
  const { id: number, kind, customerId, serviceId, total, gateway } = order
  if (kind === "plan-change" && invoiceId === null && total.minor === 0) return null
  if ((kind !== "renewal" && kind !== "plan-change") || invoiceId === null)
    throw new BillingError("refused", `Order ${number} pays no invoice of external billing`)
  const payments = await mirror.store.paymentsOf(number)
  const { username } = (await known(mirror, number)).service
  return { number, customerId, serviceId, username, invoiceId, total, gateway, payments, at }
}

/** The due dates of the renewed services, as the external system names them after the payment. */
async function dueDatesOf(mirror: MirrorContext, order: Order) {
  const items = await mirror.local.billing.renewalItems(order.id)
  const services = await refreshed(mirror, order, [order, ...items])
  return new Map(
    items.map(({ serviceId }) => [
      serviceId,
      services.find((it) => it.serviceId === serviceId)?.paidUntil ?? null,
    ]),
  )
}

/** The services of the order's customer, and of those whom staff have merged that customer into. */
async function refreshed(
  mirror: MirrorContext,
  { customerId }: Order,
  renewed: readonly Pick<Order, "serviceId">[],
): Promise<readonly ExternalService[]> {
  const own = await refreshServices(mirror, customerId)
  const services = await Promise.all(renewed.map(({ serviceId }) => mirror.local.billing.service(serviceId)))
  const owners = new Set(
    services.flatMap((it) => (it && it.customerId !== customerId ? [it.customerId] : [])),
  )
  const others = await Promise.all([...owners].map((id) => refreshServices(mirror, id)))
  return [own, ...others].flat()
}
