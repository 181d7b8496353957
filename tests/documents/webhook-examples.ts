import type { EventData } from "~/domain/webhooks/event-schemas"

const customer = { id: "c7Qm2", email: "ana@example.test" } as const

const order = {
  id: "7BQ697JNZK",
  kind: "plan",
  status: "awaiting-payment",
  customer,
  serviceId: "k3v9",
  invoiceId: "inv4T",
  gateway: "btcpay",
  total: { amount: "98.90", currency: "EUR" },
  received: { amount: "0.00", currency: "EUR" },
  credited: { amount: "0.00", currency: "EUR" },
  promoCode: null,
  affiliateId: null,
  placedAt: "2026-11-20T12:00:00.000Z",
  deadline: "2026-11-21T12:00:00.000Z",
} as const satisfies EventData["order.placed"]["order"]

const paid = { ...order, status: "paid", received: order.total } as const
const partly = { ...order, status: "partially-paid", received: { amount: "40.00", currency: "EUR" } } as const

const service = {
  id: "k3v9",
  kind: "plan",
  status: "Active",
  customer,
  orderId: "7BQ697JNZK",
  productId: "3",
  productName: "12 months",
  cycle: "annually",
  connections: 2,
  proxyProtection: false,
  createdAt: "2026-11-20T12:00:00.000Z",
  paidUntil: "2027-11-20T12:00:00.000Z",
  suspension: null,
} as const satisfies EventData["service.provisioned"]["service"]

/** The `data` of one event of each type, as docs/webhooks.md shows it. */
export const webhookExamples: EventData = {
  "order.placed": { order },
  "order.paid": { order: paid },
  "order.cancelled": { order: { ...order, status: "cancelled" } },
  "order.expired": { order: { ...order, status: "expired" } },
  "order.held": { order: { ...order, status: "fraud" } },
  "order.released": { order },
  "order.customer_changed": {
    order: { ...order, customer: { id: "d8Rn3", email: "anna@example.test" } },
  },
  "order.tax_changed": {
    order: { ...paid, tax: { amount: "0.00", currency: "EUR" } },
    owedBack: { amount: "15.79", currency: "EUR" },
  },
  "payment.received": { order: paid, payment: order.total },
  "payment.partial": { order: partly, payment: partly.received },
  "payment.refunded": { order: { ...paid, received: order.received }, payment: order.total },
  "service.provisioned": { service },
  "service.renewal_due": { service, step: "reminder-1" },
  "service.renewed": { service: { ...service, paidUntil: "2028-11-20T12:00:00.000Z" } },
  "service.changed": { service: { ...service, connections: 3 } },
  "service.suspended": {
    service: { ...service, status: "Suspended", suspension: { owner: "non-payment" } },
  },
  "service.resumed": { service },
  "service.terminated": { service: { ...service, status: "Terminated" } },
  "customer.email_changed": { customer: { ...customer, email: "anna@example.test" } },
  "credit.granted": { customer, granted: { amount: "5.00", currency: "EUR" } },
  "reseller.credits_low": { customer, credits: 4 },
  "gateway.down": { gateway: { id: "btcpay" } },
  "gateway.up": { gateway: { id: "btcpay" } },
  "mail.suppressed": { customer, scope: "all", reason: "550 5.1.1 unknown mailbox" },
}
