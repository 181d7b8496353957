import { BillingError } from "~/billing/billing"
import { type Money, money, toDecimal } from "~/domain/money"
import type { TaxAtRate } from "~/domain/order-tax"
import type { FormFields } from "~/http/form-client.server"
import { AnyResponse } from "../client/api.server"
import { nullOnError } from "../client/errors"
import type { Whmcs } from "../context.server"
import { InvoiceShape, type WhmcsInvoice } from "../orders/order-schema"

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

/** The tax that an invoice states, of both of its levels. An item without tax, such as `adjustInvoiceTotal` adds, changes none of it. */
export function taxesIn({ tax, taxrate, tax2, taxrate2 }: WhmcsInvoice): readonly TaxAtRate[] {
  const levels = [
    { basisPoints: taxrate, amount: tax ?? 0 },
    { basisPoints: taxrate2, amount: tax2 ?? 0 },
  ]
  return levels.filter(({ amount }) => amount > 0)
}

/**
 * Adjusts an invoice to the quoted total by adding one line for the difference: WHMCS computes codes, options, taxes
 * and fees itself and accepts no total. Idempotent. `mark`: text added to the notes, by which `findInvoice` finds the
 * invoice.
 */
export async function adjustInvoiceTotal(
  { api }: Whmcs,
  invoice: WhmcsInvoice,
  { total, mark }: { total: Money; mark: string | null },
): Promise<void> {
  const changes = {
    ...priceChange(invoice, total),
    ...(mark !== null && !invoice.notes.includes(mark) && { notes: withMark(invoice.notes, mark) }),
  }
  if (Object.keys(changes).length === 0) return
  await api.write("UpdateInvoice", { invoiceid: invoice.invoiceid, ...changes }, AnyResponse)
}

function priceChange({ total, credit, status }: WhmcsInvoice, agreed: Money): FormFields {
  // WHMCS may apply the client's account credit automatically; its total excludes that credit.
  const stands = (total ?? 0) + (credit ?? 0)
  const difference = money(agreed.minor - stands, agreed.currency)
  if (difference.minor === 0) return {}
  const isPaidTooSoon = difference.minor > 0 && status === "paid"
  return { ...agreedLine(difference), ...(isPaidTooSoon && { status: "Unpaid" }) }
}

function withMark(notes: string, mark: string): string {
  return [notes, mark].filter(Boolean).join("\n")
}

function agreedLine(difference: Money): FormFields {
  return {
    newitemdescription: ["Agreed price"],
    newitemamount: [toDecimal(difference)],
    newitemtaxed: [false],
  }
}
