import { z } from "zod"
import type { ExternalUpsell, PlacedExternally } from "~/billing/external/external-orders"
import { DAY, MINUTE } from "~/domain/calendar"
import { allOf } from "../client/pagination.server"
import { Id, Text } from "../client/response-schema"
import type { Whmcs } from "../context.server"
import type { WhmcsInvoice } from "../payments/invoice-schema"
import { adjustInvoiceTotal, invoiceAt, taxesIn } from "../payments/invoices.server"
import { isSince } from "./find-order.server"
import { isMarked, noteOf } from "./order-mark"
import type { WhmcsOrder } from "./order-schema"
import { ordersOf } from "./orders.server"

/** Tolerance for a slow WHMCS clock when matching an unmarked upgrade. */
const LEEWAY = 10 * MINUTE

const ListedInvoice = z.object({ id: Id, date: Text })

/**
 * Finds the upgrade or plain invoice of an earlier `addInvoice` whose response was lost; null if not found. An
 * upgrade's invoice is marked with the order id right after creation. An unmarked one is unambiguous: WHMCS allows only
 * one unpaid upgrade per service. Adjusts its total and adds the mark; idempotent.
 */
export async function findInvoice(whmcs: Whmcs, upsell: ExternalUpsell): Promise<PlacedExternally | null> {
  return (await findUpgrade(whmcs, upsell)) ?? findPlain(whmcs, upsell)
}

type Candidate = { readonly order: WhmcsOrder; readonly invoice: WhmcsInvoice }

async function findUpgrade(whmcs: Whmcs, upsell: ExternalUpsell): Promise<PlacedExternally | null> {
  const candidates = await upgradesSince(whmcs, upsell)
  const marked = candidates.find(({ invoice }) => invoice.notes.includes(noteOf(upsell)))
  const found = marked ?? candidates.find((it) => mayBe(whmcs, upsell, it))
  if (!found) return null
  const { serviceId, quote } = upsell
  const { order } = found
  const agreed = { total: quote.total, mark: noteOf(upsell) }
  const invoice = await adjustInvoiceTotal(whmcs, found.invoice, agreed)
  return { orderId: order.id, invoiceId: invoice.invoiceid, serviceId, link: null, taxes: taxesIn(invoice) }
}

async function upgradesSince(
  whmcs: Whmcs,
  { customerId, at }: ExternalUpsell,
): Promise<readonly Candidate[]> {
  const orders = await ordersOf(whmcs, customerId)
  const found: Candidate[] = []
  for (const order of orders) {
    const isProduct = order.lineitems.some(({ type }) => type.toLowerCase() === "product")
    if (isProduct || order.invoiceid === null || !isSince(whmcs, order, at, DAY)) continue
    const invoice = await invoiceAt(whmcs, { invoiceId: order.invoiceid, customerId })
    if (invoice.items.some(({ type }) => /upgrade/i.test(type))) found.push({ order, invoice })
  }
  return found
}

function mayBe(whmcs: Whmcs, { at }: ExternalUpsell, { order, invoice }: Candidate): boolean {
  const isOpen = order.status === "pending" && invoice.status === "unpaid"
  return isOpen && !isMarked(invoice.notes) && isSince(whmcs, order, at, LEEWAY)
}

async function findPlain(whmcs: Whmcs, upsell: ExternalUpsell): Promise<PlacedExternally | null> {
  const { customerId, serviceId, at } = upsell
  const listed = await allOf(whmcs.api, {
    action: "GetInvoices",
    params: { userid: customerId },
    path: ["invoices", "invoice"],
    item: ListedInvoice,
  })
  const mark = noteOf(upsell)
  for (const { id: invoiceId } of listed.filter(({ date }) => isRecent(whmcs, date, at))) {
    const { items } = await invoiceAt(whmcs, { invoiceId, customerId })
    if (items.some(({ description }) => description.includes(mark))) {
      return { orderId: null, invoiceId, serviceId, link: null }
    }
  }
  return null
}

/** Invoices have a day without time, and `WHMCS_TIME_ZONE` may be wrong, so two days are tolerated. */
function isRecent({ clock }: Whmcs, date: string, at: number): boolean {
  const day = clock.instantOf(date)
  return day === null || day >= at - 2 * DAY
}
