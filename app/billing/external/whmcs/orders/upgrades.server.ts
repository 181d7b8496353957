import { z } from "zod"
import { BillingError } from "~/billing/billing"
import type { ExternalOrderIds, ExternalUpsell, PlacedExternally } from "~/billing/external/external-orders"
import { toDecimal } from "~/domain/money/money"
import type { FormFields } from "~/http/form-client.server"
import { nullOnError } from "../client/errors"
import { Id, Text } from "../client/response-schema"
import type { Whmcs } from "../context.server"
import { adjustInvoiceTotal, invoiceAt, taxesIn } from "../payments/invoices.server"
import { extraHeld, upgradeTo } from "../services/connections"
import { TERMINATED_STATUSES } from "../services/service-schema"
import { serviceAt } from "../services/services.server"
import { findInvoice } from "./find-invoice.server"
import { noteOf } from "./order-mark"
import { UpgradeResponse } from "./order-schema"
import { assertClientCurrency } from "./place-order.server"

const UpgradePrice = z.object({ price: Text, total: Text })
const MadeInvoice = z.object({ invoiceid: Id })

const UNPAID_BEFORE = /previous upgrade invoice/i

/**
 * Orders extra connections for a service as a WHMCS upgrade at the quoted price. Creates a plain invoice instead if
 * WHMCS would charge nothing (no rest of the cycle to pay for), or if an earlier upgrade of the service is unpaid:
 * WHMCS allows one at a time. Not idempotent: after an `unavailable` error the caller must call `findInvoice` before it
 * retries.
 */
export async function addInvoice(whmcs: Whmcs, upsell: ExternalUpsell): Promise<PlacedExternally> {
  const { customerId, quote } = upsell
  await assertClientCurrency(whmcs, customerId, quote.total.currency)
  const params = await upgradeParams(whmcs, upsell)
  if (quote.total.minor > 0 && !(await isCharged(whmcs, params))) return plainInvoice(whmcs, upsell)
  const call = whmcs.api.write("UpgradeProduct", params, UpgradeResponse)
  const made = await nullOnError(UNPAID_BEFORE, call)
  if (!made) return (await findInvoice(whmcs, upsell)) ?? plainInvoice(whmcs, upsell)
  const { orderid: orderId, invoiceid: invoiceId } = made
  if (invoiceId === null && quote.total.minor > 0) return plainInvoice(whmcs, upsell)
  const placed = { orderId, invoiceId, serviceId: upsell.serviceId, link: null }
  if (invoiceId === null) return placed
  const invoice = await invoiceAt(whmcs, { invoiceId, customerId })
  const adjusted = await adjustInvoiceTotal(whmcs, invoice, { total: quote.total, mark: noteOf(upsell) })
  return { ...placed, taxes: taxesIn(adjusted) }
}

async function upgradeParams(whmcs: Whmcs, upsell: ExternalUpsell): Promise<FormFields> {
  const { customerId, serviceId, quantity, connections, gateway } = upsell
  const service = await serviceAt(whmcs, { customerId, serviceId })
  if (!service || TERMINATED_STATUSES.has(service.status)) {
    throw new BillingError("refused", `Service ${serviceId} of this client not found in WHMCS, or terminated`)
  }
  const product = await whmcs.products.ordered(service.pid)
  const before = extraHeld(service, product) ?? connections - 1
  const configoptions = upgradeTo(before + quantity, service, product)
  return { serviceid: serviceId, paymentmethod: gateway, type: "configoptions", configoptions }
}

/**
 * Whether WHMCS would charge for an upgrade. The price is display text, "$-8.67 USD"; an unclear one counts as charged.
 */
async function isCharged({ api }: Whmcs, params: FormFields): Promise<boolean> {
  // `calconly` also works while an earlier upgrade is unpaid. A rejection does not reveal the price.
  const call = api.read("UpgradeProduct", { ...params, calconly: true }, UpgradePrice)
  const body = await nullOnError(/./s, call)
  const price = body?.price || body?.total || ""
  return price === "" || (/[1-9]/.test(price) && !price.includes("-"))
}

async function plainInvoice({ api }: Whmcs, upsell: ExternalUpsell): Promise<ExternalOrderIds> {
  const { customerId, serviceId, quantity, quote, gateway } = upsell
  const name = quote.lines.find((line) => line.kind === "moreConnections")?.name ?? "Connection"
  const params = {
    userid: customerId,
    status: "Unpaid",
    sendinvoice: false,
    autoapplycredit: false,
    paymentmethod: gateway,
    notes: noteOf(upsell),
    itemdescription1: `${quantity} × ${name}, service ${serviceId}, ${noteOf(upsell)}`,
    itemamount1: toDecimal(quote.total),
    itemtaxed1: false,
  }
  const { invoiceid: invoiceId } = await api.write("CreateInvoice", params, MadeInvoice)
  return { orderId: null, invoiceId, serviceId, link: null }
}
