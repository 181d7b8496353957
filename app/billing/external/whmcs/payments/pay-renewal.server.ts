import { BillingError } from "~/billing/billing"
import type { PaidExternalInvoice } from "~/billing/external/external-invoices"
import type { PaymentRecord } from "~/billing/external/external-services"
import type { InvoiceSettlement } from "~/billing/services/invoice-renewals"
import { money, toDecimal } from "~/domain/money/money"
import { AnyResponse } from "../client/api.server"
import type { Whmcs } from "../context.server"
import { usernamesOf } from "../services/service-credentials.server"
import { serviceAt } from "../services/services.server"
import { invoiceIfAny } from "./invoices.server"
import { balanceOf } from "./payments.server"
import { creditClient, recordedAs } from "./transactions.server"

/** What is to be recorded under one transaction id, in minor units. */
type Entry = Omit<PaymentRecord, "amount"> & { readonly minor: number }

/**
 * Records the payments of a renewal on its invoice: see `ExternalInvoices.payInvoice`. WHMCS moves the due date each time an
 * invoice is paid, so each entry is looked up by its transaction id first, and what is missing of it recorded only on an invoice that is
 * unpaid at that moment and up to its balance. What is left of it becomes credit of the client, under the id with `-credit`.
 */
export async function payInvoice(
  whmcs: Whmcs,
  paid: PaidExternalInvoice,
  beforeWrite: () => Promise<void>,
): Promise<InvoiceSettlement> {
  await assertSameService(whmcs, paid)
  let credited = 0
  for (const entry of entriesOf(paid)) credited += await record(whmcs, { ...paid, entry, beforeWrite })
  await warnIfPaidTwice(whmcs, paid)
  return { credited: money(credited, paid.total.currency) }
}

/**
 * After WHMCS was restored from a backup, client, invoice and service may all be others under the same ids. Throws `BillingError`
 * "refused".
 */
async function assertSameService(
  whmcs: Whmcs,
  { customerId, serviceId, username }: PaidExternalInvoice,
): Promise<void> {
  const service = await serviceAt(whmcs, { customerId, serviceId })
  const names = service ? usernamesOf(whmcs, service) : []
  if (names.length === 0 || names.includes(username)) return
  throw new BillingError(
    "refused",
    `WHMCS service ${serviceId} has another username than the one that was paid for`,
  )
}

/** The payments up to the total; the rest of it is local account credit, a tolerated difference, or an operator's decision. */
function entriesOf({ payments, total, number, gateway, at }: PaidExternalInvoice): readonly Entry[] {
  let open = total.minor
  const entries = payments.map(({ amount, ...payment }): Entry => {
    if (amount.currency !== total.currency)
      throw new BillingError(
        "refused",
        `Cannot record payment: payment is in ${amount.currency}, order is in ${total.currency}`,
      )
    const minor = Math.min(amount.minor, open)
    open -= minor
    return { ...payment, minor }
  })
  const rest = { transactionId: `${number}-settled`, gateway, at: payments.at(-1)?.at ?? at, minor: open }
  return [...entries, rest].filter(({ minor }) => minor > 0)
}

type Recording = Pick<PaidExternalInvoice, "customerId" | "invoiceId" | "total"> & {
  readonly entry: Entry
  readonly beforeWrite: () => Promise<void>
}

/** Records one entry on the invoice and as credit. Returns the credit in minor units. */
async function record(whmcs: Whmcs, recording: Recording): Promise<number> {
  const { transactionId, minor } = recording.entry
  const before = (await recordedAs(whmcs, recording, transactionId)) ?? 0
  const onInvoice = before + (await payUnpaid(whmcs, recording, minor - before))
  const left = minor - onInvoice
  if (left > 0) await creditRest(whmcs, recording, left)
  return Math.max(0, left)
}

/**
 * Records what WHMCS does not have of an entry yet: a payment may have grown since its first part was recorded. The invoice is read last
 * before the payment: staff and other payment pages may pay it at any time.
 */
async function payUnpaid(whmcs: Whmcs, recording: Recording, missing: number): Promise<number> {
  if (missing <= 0) return 0
  const { invoiceId, customerId, total, entry, beforeWrite } = recording
  // A payment that was left as credit is not moved to the invoice when staff reopen it.
  if ((await recordedAs(whmcs, recording, creditId(entry))) !== null) return 0
  await beforeWrite()
  const invoice = await invoiceIfAny(whmcs, { invoiceId, customerId })
  const minor = invoice?.status === "unpaid" ? Math.min(missing, balanceOf(invoice)) : 0
  if (minor <= 0) return 0
  const payment = {
    invoiceid: invoiceId,
    transid: entry.transactionId,
    gateway: entry.gateway,
    date: whmcs.clock.stampOf(entry.at),
    amount: toDecimal(money(minor, total.currency)),
    noemail: !whmcs.settings.sendsMail,
  }
  await whmcs.api.write("AddInvoicePayment", payment, AnyResponse)
  return minor
}

const creditId = ({ transactionId }: Entry) => `${transactionId}-credit`

async function creditRest(whmcs: Whmcs, recording: Recording, minor: number): Promise<void> {
  const { invoiceId, customerId, total, entry, beforeWrite } = recording
  const transid = creditId(entry)
  if ((await recordedAs(whmcs, recording, transid)) !== null) return
  await beforeWrite()
  const amount = money(minor, total.currency)
  await creditClient(whmcs, { customerId, invoiceId, transid, gateway: entry.gateway, amount })
}

/** WHMCS has no call that pays an invoice only while it is unpaid, so somebody may have paid it in the same moment. */
async function warnIfPaidTwice(whmcs: Whmcs, { invoiceId, customerId }: PaidExternalInvoice): Promise<void> {
  const invoice = await invoiceIfAny(whmcs, { invoiceId, customerId })
  if (!invoice || balanceOf(invoice) >= 0) return
  whmcs.settings.log.warn(
    { invoiceId, hint: "check the due date and the credit of the client in WHMCS" },
    "invoice paid twice in WHMCS",
  )
}
