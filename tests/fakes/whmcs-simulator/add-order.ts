import { monthsOf } from "~/domain/catalogue/billing-cycle"
import type { Currency } from "~/domain/money/money"
import { daysBetween, inWords, monthsAfter, NO_DAY, NO_TIME } from "./clock"
import { type Action, clientBy, gatewayIn, type Installation, SUCCESS } from "./installation"
import { addInvoice, settle, spendAccountCredit } from "./invoice-operations"
import { sendUnless } from "./mails"
import { type OrderLine, orderLines } from "./order-lines"
import { arrayOf, flag, text, WhmcsError } from "./params"
import type { Fields } from "./php-form"
import { usablePromotion } from "./promotions"
import type { WhmcsResponse } from "./responses"
import { type Client, type InvoiceItem, nextId, type Order, type Service, type ServiceCycle } from "./state"

const LISTS = ["pid", "domain", "billingcycle", "addons", "customfields", "configoptions", "priceoverride"]

export const addOrder: Action = (installation, params) => {
  const client = clientBy(installation, text(params, "clientid"))
  if (client.status === "Closed") throw new WhmcsError("Unable to add order when client status is Closed")
  const gateway = gatewayIn(installation, params)
  for (const name of LISTS) arrayOf(params, name)
  const promotion = usablePromotion(installation, text(params, "promocode"), client.id)
  const lines = orderLines(installation, params, { currency: client.currency, promotion })
  if (lines.length === 0) throw new WhmcsError("No items added to cart so order cannot proceed")

  const used = lines.some(({ off }) => off > 0) ? promotion : null
  if (used) used.uses += 1
  const orderId = nextId(installation.state.orders)
  const services = lines.map((line) => serviceFor(installation, line, { orderId, client, gateway, used }))
  const order: Order = {
    id: orderId,
    number: orderNumber(),
    clientId: client.id,
    date: installation.clock.stamp(),
    promotion: used,
    amount: services.reduce((sum, { firstPayment }) => sum + firstPayment, 0),
    gateway,
    invoiceId: 0,
    status: "Pending",
    address: text(params, "clientip"),
    notes: text(params, "notes"),
    affiliateId: affiliateIn(installation, params),
    serviceIds: services.map(({ id }) => id),
  }
  installation.state.orders.push(order)
  sendUnless(installation, params, { off: "noemail", clientId: client.id, template: "Order Confirmation" })
  if (!flag(params, "noinvoice")) {
    invoiceFor(installation, order, lines, services)
    sendUnless(installation, params, {
      off: "noinvoiceemail",
      clientId: client.id,
      template: "Invoice Created",
    })
  }
  return {
    ...SUCCESS,
    orderid: String(orderId),
    serviceids: order.serviceIds.join(","),
    addonids: "",
    domainids: "",
    ...invoiceIn(installation, order),
  }
}

type Terms = { orderId: number; client: Client; gateway: string; used: Order["promotion"] }

function serviceFor(
  installation: Installation,
  line: OrderLine,
  { orderId, client, gateway, used }: Terms,
): Service {
  const { item, cycle, domain, fields, options, recurring, setup, off } = line
  const today = installation.clock.day()
  const isRecurring = cycle !== "onetime" && cycle !== "free"
  const service: Service = {
    id: nextId(installation.state.services),
    clientId: client.id,
    orderId,
    pid: item.id,
    registered: today,
    domain,
    hasServer: installation.quirks.serverKnown === "ordered",
    gateway,
    cycle,
    firstPayment: recurring + setup - off,
    recurring: isRecurring ? recurring : 0,
    nextDue: isRecurring ? today : NO_DAY,
    status: "Pending",
    username: "",
    password: "",
    notes: "",
    promotionId: used?.id ?? 0,
    suspensionReason: "",
    fields,
    options,
  }
  installation.state.services.push(service)
  return service
}

function invoiceFor(
  installation: Installation,
  order: Order,
  lines: readonly OrderLine[],
  services: readonly Service[],
): void {
  const isFree = order.amount === 0
  if (isFree && installation.quirks.freeOrders === "no-invoice") return
  const currency = clientBy(installation, String(order.clientId)).currency
  const items = lines.flatMap((line, index) => itemsFor(line, services[index], currency, order))
  const invoice = addInvoice(installation, { clientId: order.clientId, gateway: order.gateway, items })
  order.invoiceId = invoice.id
  if (isFree) settle(installation, invoice, NO_TIME)
  else if (installation.quirks.usesCredit) spendAccountCredit(installation, invoice)
}

type NewItem = Omit<InvoiceItem, "id">

function itemsFor(
  line: OrderLine,
  service: Service | undefined,
  currency: Currency,
  order: Order,
): NewItem[] {
  if (!service) return []
  const { item, cycle, recurring, setup, off } = line
  const relid = service.id
  const description = `${item.name}${periodOf(cycle, service.registered)}`
  const hosting: NewItem = { type: "Hosting", relid, description, amount: recurring + setup, taxed: true }
  if (off === 0) return [hosting]
  const code = `Promotional Code: ${order.promotion?.code ?? ""} - ${currency}`
  return [hosting, { type: "PromoHosting", relid, description: code, amount: -off, taxed: true }]
}

/** Period of an order line, for example " (15/06/2026 - 14/07/2026)". */
function periodOf(cycle: ServiceCycle, from: string): string {
  if (cycle === "onetime" || cycle === "free") return ""
  const next = monthsAfter(from, monthsOf(cycle))
  const last = new Date(Date.parse(next) - 86_400_000).toISOString().slice(0, 10)
  return daysBetween(from, last) > 0 ? ` (${inWords(from)} - ${inWords(last)})` : ""
}

function invoiceIn({ quirks }: Installation, { invoiceId }: Order): WhmcsResponse {
  if (invoiceId > 0) return { invoiceid: String(invoiceId) }
  return { missing: {}, empty: { invoiceid: "" }, zero: { invoiceid: "0" } }[quirks.noInvoice]
}

/** An order with an unknown affiliate has no affiliate. */
function affiliateIn({ state }: Installation, params: Fields): string {
  const id = text(params, "affid")
  return state.affiliates.some((it) => String(it.id) === id) ? id : ""
}

export function orderNumber(): string {
  return String(1_000_000_000 + Math.floor(Math.random() * 8_999_999_999))
}
