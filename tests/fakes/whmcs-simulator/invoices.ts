import { NO_TIME } from "./clock"
import { type Action, clientBy, type Installation, invoiceBy, SUCCESS, sameText } from "./installation"
import { addInvoice, addItem, settle, spendAccountCredit } from "./invoice-operations"
import { sendMail } from "./mails"
import { flag, minorOf, text, textsOf, WhmcsError } from "./params"
import type { Fields } from "./php-form"
import { type Invoice, type InvoiceItem, invoiceStatuses } from "./state"

export const createInvoice: Action = (installation, params) => {
  const client = clientBy(installation, text(params, "userid"))
  if (flag(params, "draft") && flag(params, "sendinvoice")) {
    throw new WhmcsError(
      "Cannot create and send a draft invoice in a single API request. Please create and send separately.",
    )
  }
  const status = flag(params, "draft") ? "Draft" : statusIn(params, "Unpaid")
  const invoice = addInvoice(installation, {
    clientId: client.id,
    gateway: text(params, "paymentmethod"),
    status,
    items: numbered(params),
    notes: text(params, "notes"),
    ...days(params),
  })
  if (flag(params, "sendinvoice")) sendMail(installation, client.id, "Invoice Created")
  if (flag(params, "autoapplycredit")) spendAccountCredit(installation, invoice)
  return { ...SUCCESS, invoiceid: String(invoice.id), status: invoice.status }
}

/** Parses `itemdescription1`, `itemamount1`, `itemtaxed1`, `itemdescription2` …: lines without a service. */
function numbered(params: Fields): Omit<InvoiceItem, "id">[] {
  const numbers = [...params.keys()].flatMap((name) => /^itemdescription(\d+)$/.exec(name)?.[1] ?? [])
  return numbers.map((number) => ({
    type: "",
    relid: 0,
    description: text(params, `itemdescription${number}`),
    amount: minorOf(text(params, `itemamount${number}`)),
    taxed: flag(params, `itemtaxed${number}`),
  }))
}

function days(params: Fields): Partial<Pick<Invoice, "date" | "due">> {
  const [date, due] = [text(params, "date"), text(params, "duedate")]
  return { ...(date && { date }), ...(due && { due }) }
}

function statusIn(params: Fields, otherwise: Invoice["status"]): Invoice["status"] {
  const requested = text(params, "status")
  if (requested === "") return otherwise
  const status = invoiceStatuses.find((it) => sameText(it, requested))
  if (!status) throw new WhmcsError(`Invalid status ${requested}`)
  return status
}

export const updateInvoice: Action = (installation, params) => {
  const invoice = invoiceBy(installation, params)
  const before = invoice.status
  const status = statusIn(params, before)
  if (flag(params, "publish") && before !== "Draft") {
    throw new WhmcsError("Invoice must be in Draft status to be published")
  }
  changeItems(invoice, params)
  addItems(installation, invoice, params)
  const gone = [...textsOf(params, "deletelineids").values()]
  invoice.items = invoice.items.filter(({ id }) => !gone.includes(String(id)))
  invoice.gateway = text(params, "paymentmethod") || invoice.gateway
  invoice.notes = params.has("notes") ? text(params, "notes") : invoice.notes
  Object.assign(invoice, days(params))
  invoice.status = flag(params, "publish") ? "Unpaid" : status
  if (invoice.status === "Paid" && before !== "Paid") settle(installation, invoice, NO_TIME)
  return { ...SUCCESS, invoiceid: String(invoice.id) }
}

const MISSING =
  "Missing Variables: itemdescription, itemamount and itemtaxed are required for each item being changed"

function changeItems({ items }: Invoice, params: Fields): void {
  const [descriptions, amounts, taxed] = ["itemdescription", "itemamount", "itemtaxed"].map((name) =>
    textsOf(params, name),
  )
  for (const [id, description] of descriptions ?? []) {
    const amount = amounts?.get(id)
    if (amount === undefined || taxed?.get(id) === undefined) throw new WhmcsError(MISSING)
    const item = items.find((it) => String(it.id) === id)
    if (item) Object.assign(item, { description, amount: minorOf(amount), taxed: taxed.get(id) === "1" })
  }
}

function addItems(installation: Installation, invoice: Invoice, params: Fields): void {
  const amounts = textsOf(params, "newitemamount")
  const taxed = textsOf(params, "newitemtaxed")
  for (const [index, description] of textsOf(params, "newitemdescription")) {
    const amount = minorOf(amounts.get(index) ?? "")
    addItem(installation, invoice, {
      type: "",
      relid: 0,
      description,
      amount,
      taxed: taxed.get(index) === "1",
    })
  }
}
