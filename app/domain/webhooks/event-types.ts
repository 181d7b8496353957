/** Types of the events that the operator's systems get, and what each says (specification, Webhooks). */
export const eventDescriptions = {
  "order.placed": "An order was placed.",
  "order.paid": "An order is paid in full, by payments, by account credit or by decision of the operator.",
  "order.cancelled": "An unpaid order was cancelled, or the operator has refused one on hold.",
  "order.expired": "An order was not paid before its deadline.",
  "order.held": "An order was put on hold as suspected fraud.",
  "order.released":
    "An order on hold was released, and its buyer has accepted the price if it is another one by now.",
  "order.customer_changed":
    "An order, with its invoice and service, is another customer's: a mistyped address was corrected.",
  "order.tax_changed":
    "A paid order has no tax any more: the number of its business was confirmed after the sale, and `owedBack` is owed back.",
  "payment.received":
    "A payment has completed an order, or has arrived for one that was paid before or is closed.",
  "payment.partial": "A payment has arrived that does not cover the order.",
  "payment.refunded": "A payment was refunded, also one that the operator had received outside the gateways.",
  "service.provisioned": "A service was provisioned and has its login details.",
  "service.renewal_due": "A service ends soon or has ended, and nobody has renewed it.",
  "service.renewed": "Paid time was added to a service.",
  "service.changed":
    "A service has another plan, another number of connections, or days given by the operator.",
  "service.suspended": "A service was suspended.",
  "service.resumed": "A suspended service works again.",
  "service.terminated": "A service has ended for good.",
  "customer.email_changed": "A customer has another email address.",
  "credit.granted": "The operator has given a customer account credit, or has refunded an order as it.",
  "reseller.credits_low": "A reseller's credits have come down to the limit of MAIL_CREDITS_LOW.",
  "gateway.down": "A payment gateway has not responded for ten minutes.",
  "gateway.up": "A payment gateway responds again.",
  "mail.suppressed": "A customer's address gets no more mail: it bounced, complained or unsubscribed.",
} as const satisfies Readonly<Record<string, string>>

export type WebhookEventType = keyof typeof eventDescriptions

export const webhookEventTypes = Object.keys(eventDescriptions) as readonly WebhookEventType[]
