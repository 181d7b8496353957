import { BillingError } from "~/billing/billing"
import { type Money, money, toDecimal } from "~/domain/money/money"
import type { TaxAtRate } from "~/domain/orders/order-tax"
import type { FormFields } from "~/http/form-client.server"
import { AnyResponse } from "../client/api.server"
import { nullOnError } from "../client/errors"
import type { Whmcs } from "../context.server"
import { InvoiceShape, type WhmcsInvoice } from "./invoice-schema"

type Named = { readonly invoiceId: string; readonly customerId: string }

/** Loads an invoice of this client. Throws `BillingError` "refused" if it belongs to another client. */
export async function invoiceAt({ api }: Whmcs, { invoiceId, customerId }: Named): Promise<WhmcsInvoice> {
  const invoice = await api.read("GetInvoice", { invoiceid: invoiceId }, InvoiceShape)
  if (invoice.invoiceid !== invoiceId) {
    throw new BillingError("unreadable", "Invalid WHMCS response to GetInvoice: different invoice")
  }
  if (invoice.userid === customerId) return invoice
  throw new BillingError("refused", `Invoice ${invoiceId} of this client not found in WHMCS`)
}

const NOT_FOUND = /invoice id not found/i

/** As `invoiceAt`; null if WHMCS does not have it any more, because staff have deleted it or merged it into another. */
export function invoiceIfAny(whmcs: Whmcs, named: Named): Promise<WhmcsInvoice | null> {
  return nullOnError(NOT_FOUND, invoiceAt(whmcs, named))
}

/** The tax that an invoice states, of both of its levels. */
export function taxesIn({ tax, taxrate, tax2, taxrate2 }: WhmcsInvoice): readonly TaxAtRate[] {
  const levels = [
    { basisPoints: taxrate, amount: tax ?? 0 },
    { basisPoints: taxrate2, amount: tax2 ?? 0 },
  ]
  return levels.filter(({ amount }) => amount > 0)
}

/**
 * Adjusts an invoice to the quoted total by adding one line for the difference: WHMCS computes codes, options, taxes
 * and fees itself and accepts no total. Where all items are taxed, so is the line, and the total includes the tax that the invoice then
 * states; a second line takes what the rounding of WHMCS leaves. Idempotent. Returns the invoice with its tax as it stands then. `mark`: text
 * added to the notes, by which `findInvoice` finds the invoice.
 */
export async function adjustInvoiceTotal(
  whmcs: Whmcs,
  invoice: WhmcsInvoice,
  { total, mark }: { total: Money; mark: string | null },
): Promise<WhmcsInvoice> {
  const difference = total.minor - totalOf(invoice)
  const isTaxed = difference !== 0 && isAllTaxed(invoice)
  const line = isTaxed ? beforeTax(invoice, difference) : difference
  await change(whmcs, invoice, {
    ...(line !== 0 && agreedLine(money(line, total.currency), isTaxed)),
    // Credit of the client has paid what was less than the total.
    ...(difference > 0 && invoice.status === "paid" && { status: "Unpaid" }),
    ...(mark !== null && !invoice.notes.includes(mark) && { notes: withMark(invoice.notes, mark) }),
  })
  if (!isTaxed) return invoice
  const taxed = await invoiceAt(whmcs, { invoiceId: invoice.invoiceid, customerId: invoice.userid })
  const rest = money(total.minor - totalOf(taxed), total.currency)
  await change(whmcs, taxed, rest.minor === 0 ? {} : agreedLine(rest, false))
  return taxed
}

async function change({ api }: Whmcs, { invoiceid }: WhmcsInvoice, changes: FormFields): Promise<void> {
  if (Object.keys(changes).length === 0) return
  await api.write("UpdateInvoice", { invoiceid, ...changes }, AnyResponse)
}

/** WHMCS may apply the client's account credit automatically; its total excludes that credit. */
function totalOf({ total, credit }: WhmcsInvoice): number {
  return (total ?? 0) + (credit ?? 0)
}

function isAllTaxed(invoice: WhmcsInvoice): boolean {
  const costing = invoice.items.filter(({ amount }) => amount !== null && amount !== 0)
  return taxesIn(invoice).length > 0 && costing.every(({ taxed }) => taxed)
}

/** The part of a difference that is added to the items, if WHMCS adds tax to them. */
function beforeTax(invoice: WhmcsInvoice, difference: number): number {
  const { items, taxrate, taxrate2 } = invoice
  const sum = items.reduce((all, { amount }) => all + (amount ?? 0), 0)
  if (sum === totalOf(invoice)) return difference
  return Math.round((difference * 10_000) / (10_000 + (taxrate ?? 0) + (taxrate2 ?? 0)))
}

function withMark(notes: string, mark: string): string {
  return [notes, mark].filter(Boolean).join("\n")
}

function agreedLine(difference: Money, isTaxed: boolean): FormFields {
  return {
    newitemdescription: ["Agreed price"],
    newitemamount: [toDecimal(difference)],
    newitemtaxed: [isTaxed],
  }
}
