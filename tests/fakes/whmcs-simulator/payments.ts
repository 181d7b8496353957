import { NO_TIME } from "./clock"
import { type Action, clientBy, type Installation, invoiceBy, SUCCESS, sameText } from "./installation"
import { addTransactionRow, balanceOf, receive, settle } from "./invoice-operations"
import { transactionRow } from "./invoice-queries"
import { sendMail } from "./mails"
import { decimal, flag, minorOf, text, WhmcsError } from "./params"
import type { Fields } from "./php-form"
import { List } from "./responses"
import type { Client, Invoice } from "./state"

const STAMP = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/

/** Records a payment each time it is called: `transid` is not checked for duplicates. */
export const addInvoicePayment: Action = (installation, params) => {
  const invoice = invoiceBy(installation, params)
  if (invoice.status === "Cancelled") {
    throw new WhmcsError("It is not possible to add a payment to an invoice that is Cancelled")
  }
  const wasPaid = invoice.status === "Paid"
  const value = text(params, "amount")
  const date = STAMP.test(text(params, "date")) ? text(params, "date") : NO_TIME
  addTransactionRow(installation, {
    clientId: invoice.clientId,
    invoiceId: invoice.id,
    transid: text(params, "transid"),
    date,
    gateway: text(params, "gateway"),
    description: "Invoice Payment",
    amountOut: 0,
    amountIn: value === "" ? balanceOf(installation, invoice) : minorOf(value),
    fees: minorOf(text(params, "fees")),
  })
  // Nothing keeps a paid invoice from being paid again, and then its services move on once more.
  if (wasPaid && installation.quirks.paidAgain === "renews") settle(installation, invoice, date)
  else receive(installation, invoice, date)
  if (!flag(params, "noemail")) sendMail(installation, invoice.clientId, "Invoice Payment Confirmation")
  return SUCCESS
}

/** The only action that requires a unique transaction id. */
export const addTransaction: Action = (installation, params) => {
  const gateway = text(params, "paymentmethod")
  if (gateway === "") throw new WhmcsError("Payment Method is required")
  const userid = text(params, "userid")
  const client = userid === "" ? null : clientBy(installation, userid)
  const invoice = text(params, "invoiceid") === "" ? null : invoiceBy(installation, params)
  const transid = text(params, "transid")
  const known = installation.state.transactions.some((it) => transid !== "" && sameText(it.transid, transid))
  if (known) throw new WhmcsError("Transaction ID must be Unique")
  moved(installation, params, { client, invoice, gateway, transid })
  return SUCCESS
}

type Move = { client: Client | null; invoice: Invoice | null; gateway: string; transid: string }

function moved(
  installation: Installation,
  params: Fields,
  { client, invoice, gateway, transid }: Move,
): void {
  const amountIn = minorOf(text(params, "amountin"))
  addTransactionRow(installation, {
    clientId: client?.id ?? invoice?.clientId ?? 0,
    invoiceId: invoice?.id ?? 0,
    transid,
    gateway,
    date: installation.clock.stamp(),
    amountIn,
    amountOut: minorOf(text(params, "amountout")),
    fees: minorOf(text(params, "fees")),
    description: text(params, "description"),
  })
  if (invoice) receive(installation, invoice, NO_TIME)
  else if (client && flag(params, "credit")) client.credit += amountIn
}

export const getTransactions: Action = (installation, params) => {
  const [invoiceid, clientid, transid] = ["invoiceid", "clientid", "transid"].map((it) => text(params, it))
  const rows = installation.state.transactions
    .filter(({ invoiceId }) => !invoiceid || String(invoiceId) === invoiceid)
    .filter(({ clientId }) => !clientid || String(clientId) === clientid)
    .filter((it) => !transid || sameText(it.transid, transid))
  return {
    ...SUCCESS,
    totalresults: rows.length,
    startnumber: 0,
    numreturned: rows.length,
    transactions: new List("transaction", rows.map(transactionRow)),
  }
}

export const addCredit: Action = (installation, params) => {
  const client = clientBy(installation, text(params, "clientid"))
  const amount = minorOf(text(params, "amount"))
  if (amount === 0) throw new WhmcsError("No Amount Provided")
  client.credit += amount
  return { ...SUCCESS, newbalance: decimal(client.credit) }
}

export const applyCredit: Action = (installation, params) => {
  const invoice = invoiceBy(installation, params)
  const client = clientBy(installation, String(invoice.clientId))
  const balance = balanceOf(installation, invoice)
  const amount = text(params, "amount") === "full" ? balance : minorOf(text(params, "amount"))
  const error = creditRefused(invoice, { amount, balance, credit: client.credit })
  if (error) throw new WhmcsError(error)
  client.credit -= amount
  invoice.credit += amount
  receive(installation, invoice, NO_TIME)
  const invoicepaid = String(invoice.status === "Paid")
  return { ...SUCCESS, invoiceid: String(invoice.id), amount: decimal(amount), invoicepaid }
}

type CreditRequest = { amount: number; balance: number; credit: number }

function creditRefused({ status }: Invoice, { amount, balance, credit }: CreditRequest): string | null {
  if (status !== "Unpaid") return "Invoice Not in Unpaid Status"
  if (amount <= 0) return "Credit Amount to apply must be greater than zero"
  if (amount > credit) return "Amount exceeds customer credit balance"
  return amount > balance ? "Amount Exceeds Invoice Balance" : null
}
