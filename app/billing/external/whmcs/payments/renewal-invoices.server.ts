import { z } from "zod"
import { type Currency, money } from "~/domain/money/money"
import type { RenewalItem } from "~/domain/services/renewal"
import type { RenewalInvoice } from "~/domain/services/renewal-invoice"
import { allOf } from "../client/pagination.server"
import { Id } from "../client/response-schema"
import type { Whmcs } from "../context.server"
import type { WhmcsService } from "../services/service-schema"
import { servicesAt } from "../services/services.server"
import type { WhmcsInvoice } from "./invoice-schema"
import { invoiceAt, taxesIn } from "./invoices.server"
import { balanceOf } from "./payments.server"

/** A client has one such invoice for each service at most; more are not read. */
const MAX_INVOICES = 20

const IN_USE: ReadonlySet<string> = new Set(["active", "suspended"])

/** Items of a service in an invoice, with the promotion on it. */
const OF_SERVICE = /hosting$/i
const TERM = /^hosting$/i

/**
 * Unpaid invoices for further terms of a client's active and suspended services. Not those of new orders, upgrades or funds, nor
 * of terminated services, which a payment does not bring back.
 */
export async function unpaidRenewals(whmcs: Whmcs, customerId: string): Promise<readonly RenewalInvoice[]> {
  const currency = await whmcs.currencies.of(customerId)
  const listed = await allOf(whmcs.api, {
    action: "GetInvoices",
    params: { userid: customerId, status: "Unpaid" },
    path: ["invoices", "invoice"],
    item: z.object({ id: Id }),
  })
  if (currency === null || listed.length === 0) return []
  const services = await servicesAt(whmcs, customerId)
  const found: RenewalInvoice[] = []
  for (const { id: invoiceId } of listed.slice(-MAX_INVOICES)) {
    const invoice = await invoiceAt(whmcs, { invoiceId, customerId })
    const renewal = renewalOf(whmcs, invoice, { services, currency })
    if (renewal) found.push(renewal)
  }
  return found.toSorted((a, b) => (a.due ?? 0) - (b.due ?? 0))
}

type Client = { readonly services: readonly WhmcsService[]; readonly currency: Currency }

function renewalOf(
  { dueDays }: Whmcs,
  invoice: WhmcsInvoice,
  { services, currency }: Client,
): RenewalInvoice | null {
  const balance = balanceOf(invoice)
  if (invoice.status !== "unpaid" || balance <= 0) return null
  const renewed = services.filter(({ id }) =>
    invoice.items.some(({ type, relid }) => TERM.test(type) && relid === id),
  )
  const isNew = renewed.some(({ status }) => status === "pending")
  if (isNew || !renewed.some(({ status }) => IN_USE.has(status))) return null
  const taxes = isWhole(invoice) ? taxesIn(invoice) : []
  return {
    invoiceId: invoice.invoiceid,
    due: dueDays.instantOf(invoice.duedate),
    balance: money(balance, currency),
    ...(taxes.length > 0 && { taxes }),
    items: renewed.map(({ id }) => itemOf(invoice, id, currency)),
  }
}

/** Nothing of it is paid, nor taken from credit: its tax is that of what is left to pay. */
function isWhole(invoice: WhmcsInvoice): boolean {
  return (invoice.credit ?? 0) === 0 && balanceOf(invoice) === invoice.total
}

function itemOf({ items }: WhmcsInvoice, serviceId: string, currency: Currency): RenewalItem {
  const own = items.filter(({ type, relid }) => OF_SERVICE.test(type) && relid === serviceId)
  const sum = own.reduce((all, { amount }) => all + (amount ?? 0), 0)
  return {
    serviceId,
    cycles: own.filter(({ type }) => TERM.test(type)).length,
    amount: money(sum, currency),
  }
}
