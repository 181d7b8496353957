import {
  type Action,
  clientBy,
  type Installation,
  invoiceBy,
  page,
  prefixOf,
  SUCCESS,
  sameText,
  suffixOf,
} from "./installation"
import { balanceOf, sumsOf } from "./invoice-operations"
import { decimal, text } from "./params"
import { List, type WhmcsResponse } from "./responses"
import type { Invoice, Transaction } from "./state"

/** Returns one invoice, without its currency; `transactions` is "" if there are none. */
export const getInvoice: Action = (installation, params) => {
  const invoice = invoiceBy(installation, params)
  const moved = installation.state.transactions.filter(({ invoiceId }) => invoiceId === invoice.id)
  return {
    ...SUCCESS,
    invoiceid: String(invoice.id),
    ...amounts(invoice),
    balance: decimal(balanceOf(installation, invoice)),
    lastcaptureattempt: "0000-00-00 00:00:00",
    ccgateway: false,
    items: new List("item", invoice.items.map(itemRow)),
    transactions: moved.length === 0 ? "" : new List("transaction", moved.map(transactionRow)),
  }
}

export const getInvoices: Action = (installation, params) => {
  const [userid, status] = ["userid", "status"].map((name) => text(params, name))
  const matching = installation.state.invoices
    .filter(({ clientId }) => !userid || String(clientId) === userid)
    .filter((invoice) => !status || hasStatus(installation, invoice, status))
    .toReversed()
  const { rows, start } = page(params, matching)
  const invoices = new List(
    "invoice",
    rows.map((invoice) => listed(installation, invoice)),
  )
  return {
    ...SUCCESS,
    totalresults: matching.length,
    startnumber: start,
    numreturned: rows.length,
    invoices,
  }
}

/** "Overdue" is no stored status, but can be queried like one. */
function hasStatus({ clock }: Installation, invoice: Invoice, requested: string): boolean {
  if (sameText(requested, "Overdue")) return invoice.status === "Unpaid" && invoice.due < clock.day()
  return sameText(invoice.status, requested)
}

function listed(installation: Installation, invoice: Invoice): WhmcsResponse {
  const { currency, details } = clientBy(installation, String(invoice.clientId))
  return {
    id: String(invoice.id),
    ...amounts(invoice),
    ...details,
    currencycode: currency,
    currencyprefix: prefixOf(currency),
    currencysuffix: suffixOf(currency),
  }
}

function amounts(invoice: Invoice): WhmcsResponse {
  const { subtotal, taxes, total } = sumsOf(invoice)
  const [rate, rate2] = invoice.tax.rates
  return {
    invoicenum: "",
    userid: String(invoice.clientId),
    date: invoice.date,
    duedate: invoice.due,
    datepaid: invoice.paid,
    subtotal: decimal(subtotal),
    credit: decimal(invoice.credit),
    tax: decimal(taxes[0]),
    tax2: decimal(taxes[1]),
    total: decimal(total - invoice.credit),
    taxrate: rate.toFixed(3),
    taxrate2: rate2.toFixed(3),
    status: invoice.status,
    paymentmethod: invoice.gateway,
    notes: invoice.notes,
  }
}

function itemRow({ id, type, relid, description, amount, taxed }: Invoice["items"][number]): WhmcsResponse {
  const money = { amount: decimal(amount), taxed: taxed ? "1" : "0" }
  return { id: String(id), type, relid: String(relid), description, ...money }
}

export function transactionRow(it: Transaction): WhmcsResponse {
  return {
    id: String(it.id),
    userid: String(it.clientId),
    currency: "0",
    gateway: it.gateway,
    date: it.date,
    description: it.description,
    amountin: decimal(it.amountIn),
    fees: decimal(it.fees),
    amountout: decimal(it.amountOut),
    rate: "1.00000",
    transid: it.transid,
    invoiceid: String(it.invoiceId),
    refundid: "0",
  }
}
