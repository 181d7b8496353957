import { z } from "zod"
import { cycles } from "../catalogue/billing-cycle"
import type { ProductKind } from "../catalogue/catalogue"
import { currencies } from "../money/money"
import { orderKinds } from "../orders/order"
import { orderStatuses } from "../orders/order-status"
import { gatewayIds } from "../payments/gateway-id"
import { serviceStatuses } from "../services/service"
import { type WebhookEventType, webhookEventTypes } from "./event-types"

/** Largest event in bytes. Texts of people are cut, see `bounded`. */
export const MAX_EVENT_BYTES = 20_000
const MAX_TEXT = 500

/** Cuts a text that a person or another system has written, so that no event is larger than `MAX_EVENT_BYTES`. */
export function bounded(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text
}

const Text = z.string().max(MAX_TEXT)
const Time = z.iso.datetime()
const Amount = z.object({
  amount: z.string().regex(/^-?\d+\.\d{2}$/),
  currency: z.enum(currencies),
})
export type EventAmount = z.output<typeof Amount>

const Customer = z.object({ id: z.string(), email: Text })
export type CustomerState = z.output<typeof Customer>

const OrderState = z.object({
  id: z.string(),
  kind: z.enum(orderKinds),
  status: z.enum(orderStatuses),
  customer: Customer,
  serviceId: z.string().nullable(),
  invoiceId: z.string(),
  gateway: z.enum(gatewayIds),
  total: Amount,
  /**
   * The tax in it, by our rules or by the invoice of an external billing system; missing where there is none. Zero once a paid order's
   * business was confirmed late: the tax in the total is owed back.
   */
  tax: Amount.optional(),
  received: Amount,
  /** Moved to account credit; negative: paid from it. */
  credited: Amount,
  promoCode: Text.nullable(),
  affiliateId: Text.nullable(),
  placedAt: Time,
  deadline: Time,
})
export type OrderState = z.output<typeof OrderState>

const ServiceState = z.object({
  id: z.string(),
  kind: z.enum(["plan", "reseller"] satisfies ProductKind[]),
  status: z.enum(serviceStatuses),
  customer: Customer,
  orderId: z.string(),
  productId: Text,
  productName: Text,
  cycle: z.enum(cycles).nullable(),
  connections: z.int(),
  proxyProtection: z.boolean(),
  createdAt: Time,
  paidUntil: Time.nullable(),
  suspension: z.object({ owner: z.enum(["non-payment", "operator", "fraud", "panel"]) }).nullable(),
})
export type ServiceState = z.output<typeof ServiceState>

const OrderData = z.object({ order: OrderState })
const PaymentData = z.object({ order: OrderState, payment: Amount })
const ServiceData = z.object({ service: ServiceState })
const GatewayData = z.object({ gateway: z.object({ id: z.enum(gatewayIds) }) })

/** What the `data` of each type contains. */
export const eventData = {
  "order.placed": OrderData,
  "order.paid": OrderData,
  "order.cancelled": OrderData,
  "order.expired": OrderData,
  "order.held": OrderData,
  "order.released": OrderData,
  "order.customer_changed": OrderData,
  /** `owedBack`: the tax in the total, less what of it was refunded before. */
  "order.tax_changed": z.object({ order: OrderState, owedBack: Amount }),
  "payment.received": PaymentData,
  "payment.partial": PaymentData,
  "payment.refunded": PaymentData,
  "service.provisioned": ServiceData,
  "service.renewal_due": z.object({ service: ServiceState, step: Text }),
  "service.renewed": ServiceData,
  "service.changed": ServiceData,
  "service.suspended": ServiceData,
  "service.resumed": ServiceData,
  "service.terminated": ServiceData,
  "customer.email_changed": z.object({ customer: Customer }),
  "credit.granted": z.object({
    customer: Customer,
    granted: Amount,
    /** The order that was refunded as it; missing where it is no refund. */
    orderId: z.string().optional(),
  }),
  "reseller.credits_low": z.object({ customer: Customer, credits: z.int() }),
  "gateway.down": GatewayData,
  "gateway.up": GatewayData,
  "mail.suppressed": z.object({
    customer: Customer,
    /** `all`: no mail at all. `reminder`: no reminders. */
    scope: z.enum(["all", "reminder"]),
    reason: Text,
  }),
} as const satisfies Readonly<Record<WebhookEventType, z.ZodObject>>

export type EventData = { readonly [Type in WebhookEventType]: z.output<(typeof eventData)[Type]> }

const types = webhookEventTypes as readonly [WebhookEventType, ...WebhookEventType[]]

/** An event as receivers and pollers get it: the body of a webhook (Standard Webhooks 1.0), and an item of `/api/events`. */
export const WebhookEvent = z.object({
  /** The same in every delivery of the event, and in the header `webhook-id`. */
  id: z.string(),
  type: z.enum(types),
  timestamp: Time,
  /** Rises with every event of the same object; of two events the one with the higher number is the newer. */
  sequence: z.int(),
  data: z.record(z.string(), z.unknown()),
})
export type WebhookEvent = z.output<typeof WebhookEvent>
