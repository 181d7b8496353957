import { BillingError } from "~/billing/billing"
import { type Money, money, toDecimal } from "~/domain/money"
import type { FormFields } from "~/http/form-client.server"
import { AnyResponse } from "../client/api.server"
import type { Whmcs } from "../context.server"
import { InvoiceShape, type WhmcsInvoice } from "../orders/order-schema"

type Named = { readonly invoiceId: string; readonly customerId: string }

/** An invoice of a client's own. Throws `refused` when it is another's. */
export async function invoiceAt({ api }: Whmcs, { invoiceId, customerId }: Named): Promise<WhmcsInvoice> {
  const invoice = await api.read("GetInvoice", { invoiceid: invoiceId }, InvoiceShape)
  if (invoice.invoiceid !== invoiceId) {
    throw new BillingError("unreadable", "WHMCS told of another invoice than it was asked for")
  }
  if (invoice.userid === customerId) return invoice
  throw new BillingError("refused", `Invoice ${invoiceId} of WHMCS is another client's`)
}

/**
 * Brings an invoice to what the buyer has agreed to, by one line more: WHMCS has its own ways with codes, options,
 * taxes and fees, and none to be told a total. Done once; nothing happens when it is right already. `mark`: a name by
 * which the invoice is to be found again, kept in its notes.
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
  // The client's credit there has paid a part already, if the installation uses it by itself.
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
