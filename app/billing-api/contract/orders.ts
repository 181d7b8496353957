import { z } from "zod"
import { cycles } from "~/domain/catalogue/billing-cycle"
import { locales } from "~/domain/locales"
import { currencies, type Money, money, toDecimal } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import type { OrderStatus } from "~/domain/orders/order-status"
import { currentTax, type OrderTax, taxByRate, taxTotal } from "~/domain/orders/order-tax"
import { gatewayIds } from "~/domain/payments/gateway-id"
import { EncodedMap } from "./encoded-map"
import {
  Amount,
  Count,
  Country,
  Currency,
  Email,
  Flag,
  Id,
  IpAddress,
  LineCredential,
  ReturnUrl,
  TextField,
} from "./field-types"

const PaymentMethod = z.enum(gatewayIds)
const localeCodes = locales.map(({ code }) => code)

/** Extensions for newer callers. `key` makes orders idempotent. */
const Extras = z.object({
  key: Id.optional().describe(
    "Idempotency key: a repeated key returns the same order. Callers that send it call checkFraud themselves",
  ),
  locale: z.enum(localeCodes).optional(),
  reach: z
    .enum(["account", "sign-up"])
    .optional()
    .describe("Access scope of the customer's session, see resellerAuth"),
  passwordid: Id.optional().describe("With reach sign-up: id of the password, see resellerAuth"),
  proven: Flag.optional().describe(
    "Ignored, for older callers: grants no access because it does not name the password",
  ),
  connections: Count.optional(),
})

export const OrderRequest = Extras.extend({
  userid: Id,
  ip: IpAddress.optional(),
  country: Country.optional(),
  pid: TextField(64).optional(),
  "pid[]": TextField(64).optional().describe("Reseller plan, as a list with one element"),
  paymentmethod: PaymentMethod,
  promocode: TextField(64).optional(),
  affid: TextField(9)
    .regex(/^\d{1,9}$/)
    .optional(),
  amount: Amount,
  currency: Currency,
  configoptions: EncodedMap.optional(),
  customfields: EncodedMap.optional(),
  email: Email.optional(),
  kind: z.enum(["plan", "reseller", "line"]).optional(),
  billingcycle: z.enum(cycles).optional(),
  username: LineCredential.optional(),
  password: LineCredential.optional(),
  nolink: Flag.optional(),
})

export const UpsellRequest = Extras.extend({
  userid: Id,
  paymentmethod: PaymentMethod,
  serviceId: Id,
  extraQuantity: Count,
  price: Amount.describe("Total price; without key the price of one connection is accepted too"),
  currency: Currency.optional(),
  amount: Amount.optional(),
  email: Email.optional(),
})

export const OrderRef = z.object({ orderid: Id, clientid: Id.optional() })

export const InvoiceRequest = z.object({
  invoiceid: Id.optional(),
  key: Id.optional(),
  orderid: Id.optional(),
  clientid: Id.optional(),
})

/** Return URLs, sent by newer callers. Without them the buyer returns to the waiting page of this shop. */
const ReturnUrls = z.object({
  returnurl: ReturnUrl.optional(),
  cancelurl: ReturnUrl.optional(),
  attempt: Id.optional(),
  locale: z.enum(localeCodes).optional(),
})

export const OffshoreRequest = ReturnUrls.extend({ invoice: Id, amount: Amount, currency: Currency })
export const PaymentLinkRequest = ReturnUrls.extend({
  invoiceid: Id,
  amount: Amount,
  currency: Currency,
  clientid: Id.optional(),
  pid: TextField(64).optional(),
})

const Names = z.object({ orderid: z.string(), invoiceid: z.string(), serviceids: z.string() })

const Bill = Names.extend({
  status: z.enum(["Unpaid", "Paid", "Cancelled", "Fraud"]),
  total: z.string(),
  currency: z.enum(currencies),
  tax: z
    .string()
    .optional()
    .describe(
      "Tax in the total; missing where the shop taxes nothing. Zero once the business of a paid order was confirmed later",
    ),
  taxrate: z.string().optional().describe("Its rate in percent; missing with several rates"),
  companyname: z.string().optional().describe("The business that buys; missing for a consumer"),
  tax_id: z.string().optional().describe("Its number for tax, with the prefix of its country"),
})

export const OrderResponse = Bill.extend({
  result: z.literal("success"),
  fraud: z.boolean(),
  link: z.string().describe("Payment link; empty for callers that send key and request the link themselves"),
})

export const Invoice = Bill.extend({ result: z.literal("success"), received: z.string() })

export const PayLink = z.object({
  result: z.literal("success"),
  link: z.string(),
  origins: z.array(z.string()).describe("Origins of the gateway's payment pages"),
})

export const Gateways = z.object({
  result: z.literal("success"),
  paymentmethods: z.object({
    paymentmethod: z.array(
      z.object({
        module: z.string(),
        displayname: z.string(),
        origin: z.string(),
        origins: z.array(z.string()),
      }),
    ),
  }),
  extras: z.array(z.string()).describe("Extensions this server supports"),
})

/** WHMCS status of an invoice by order status. */
const states: Record<OrderStatus, z.output<typeof Bill>["status"]> = {
  placed: "Unpaid",
  "awaiting-payment": "Unpaid",
  "partially-paid": "Unpaid",
  paid: "Paid",
  active: "Paid",
  cancelled: "Cancelled",
  expired: "Cancelled",
  fraud: "Fraud",
}

function billOf({ id, invoiceId, serviceId, status, total, tax }: Order): z.input<typeof Bill> {
  return {
    orderid: id,
    invoiceid: invoiceId,
    serviceids: serviceId,
    status: states[status],
    total: toDecimal(total),
    currency: total.currency,
    ...(tax && taxFields(currentTax(tax, status), total)),
  }
}

/** As WHMCS names them: an amount, and a percentage with two decimals. */
function taxFields(
  tax: OrderTax,
  { currency }: Money,
): Pick<z.input<typeof Bill>, "tax" | "taxrate" | "companyname" | "tax_id"> {
  const [rate, another] = taxByRate(tax)
  const { business } = tax.buyer
  return {
    tax: toDecimal(money(taxTotal(tax).tax, currency)),
    // Hundredths of a percent are written as hundredths of a unit of money are.
    ...(rate && !another && { taxrate: toDecimal(money(rate.basisPoints, currency)) }),
    ...(business && { companyname: business.company, tax_id: business.taxNumber }),
  }
}

export function orderOf(order: Order, link: string): z.input<typeof OrderResponse> {
  return { ...billOf(order), result: "success", fraud: order.status === "fraud", link }
}

/** Status of an invoice. A negative received amount (more refunded than received) is reported as 0. */
export function invoiceOf(order: Order): z.input<typeof Invoice> {
  const { minor, currency } = order.received
  const received = toDecimal(money(Math.max(0, minor), currency))
  return { ...billOf(order), result: "success", received }
}
