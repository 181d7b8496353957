import { BillingError } from "~/billing/billing"
import type { Instant } from "~/domain/calendar"
import { type Currency, money, toDecimal } from "~/domain/money/money"
import { currentTax, type TaxCorrection, taxTotal } from "~/domain/orders/order-tax"
import type { TimelineKind } from "~/domain/orders/timeline"
import type { ServiceEvent, ServiceEventKind } from "~/domain/services/service-event"
import {
  bounded,
  type EventAmount,
  type OrderState,
  type ServiceState,
} from "~/domain/webhooks/event-schemas"
import type { ClientRow, EventRow, OrderRow, ServiceRow } from "../db/schema/order-rows"
import type { InvoiceRow } from "../db/schema/payment-rows"
import { parseExternalTax, parseOrderTax } from "../db/stored-tax.server"
import type { DbContext } from "../db/transaction.server"
import { appendWebhookEvents, areEventsWanted, type NewWebhookEvent } from "./append-events.server"

const orderEvents = {
  placed: "order.placed",
  paid: "order.paid",
  cancelled: "order.cancelled",
  refused: "order.cancelled",
  expired: "order.expired",
  flagged: "order.held",
  released: "order.released",
  requoted: "order.released",
} as const satisfies Partial<Record<TimelineKind, string>>

/** Those whose amount is a payment. `overpaid`: for a paid order. `credited`: for an order that is closed. */
const paymentEvents = {
  paid: "payment.received",
  "partly-paid": "payment.partial",
  overpaid: "payment.received",
  credited: "payment.received",
  refunded: "payment.refunded",
} as const satisfies Partial<Record<TimelineKind, string>>

const orderServiceEvents = {
  provisioned: "service.provisioned",
  renewed: "service.renewed",
} as const satisfies Partial<Record<TimelineKind, string>>

const serviceEvents = {
  renewed: "service.renewed",
  "plan-changed": "service.changed",
  connections: "service.changed",
  extended: "service.changed",
  suspended: "service.suspended",
  resumed: "service.resumed",
  terminated: "service.terminated",
} as const satisfies Partial<Record<ServiceEventKind, string>>

/** Writes the webhook events of new timeline events of an order, in the transaction that appends them. */
export async function appendOrderWebhookEvents(ctx: DbContext, rows: readonly EventRow[]): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const isAboutOrder = rows.some(({ kind }) => isKeyOf(orderEvents, kind) || isKeyOf(paymentEvents, kind))
  const order = isAboutOrder ? await storedOrder(ctx, first.order_id) : null
  // The surplus of a payment is part of it, and no payment of its own.
  const isPart = rows.some(({ kind }) => kind === "paid")
  const announced = rows.filter(({ kind }) => !(isPart && kind === "overpaid"))
  const changing = rows.filter((row) => changesService(ctx, row))
  const services = changing.length > 0 ? await servicesOfOrder(ctx, first.order_id) : []
  await appendWebhookEvents(ctx, [
    ...(order === null
      ? []
      : announced.flatMap((row) => [...ofOrder(row, order), ...ofPayment(row, order.state)])),
    ...changing.flatMap((row) => services.flatMap((service) => ofOrderService(row, service))),
  ])
}

/** An order is another customer's, in the transaction that moves it. */
export async function recordOrderMoved(ctx: DbContext, orderId: string, at: Instant): Promise<void> {
  if (!(await areEventsWanted(ctx))) return
  const { state } = await storedOrder(ctx, orderId)
  const data = { order: state }
  await appendWebhookEvents(ctx, [{ type: "order.customer_changed", at, ...aboutOrder(state), data }])
}

/** A paid order has no tax any more, in the transaction that stores it. `back`: the tax that is owed back, in minor units. */
export async function recordTaxChanged(
  ctx: DbContext,
  orderId: string,
  { back, at }: Pick<TaxCorrection, "back" | "at">,
): Promise<void> {
  if (!(await areEventsWanted(ctx))) return
  const { state } = await storedOrder(ctx, orderId)
  const data = { order: state, owedBack: amountOf(back, state.total.currency) }
  await appendWebhookEvents(ctx, [{ type: "order.tax_changed", at, ...aboutOrder(state), data }])
}

function isKeyOf<T extends object>(table: T, name: string): name is keyof T & string {
  return Object.hasOwn(table, name)
}

/** A service with a term has an event of its own for each renewal. */
function changesService({ terms }: DbContext, { kind }: EventRow): boolean {
  return isKeyOf(orderServiceEvents, kind) && !(kind === "renewed" && terms !== undefined)
}

function ofOrder({ kind, at, position }: EventRow, { state, paidAt }: StoredOrder): NewWebhookEvent[] {
  // Money that comes for a paid order pays it no second time.
  if (!isKeyOf(orderEvents, kind) || (kind === "paid" && position !== paidAt)) return []
  // At another price it is on hold until its buyer accepts that, and is quoted again.
  if (kind === "released" && state.status === "fraud") return []
  return [{ type: orderEvents[kind], at, ...aboutOrder(state), data: { order: state } }]
}

function ofPayment(row: EventRow, order: OrderState): NewWebhookEvent[] {
  const { kind, at, amount, currency, reference } = row
  if (!isKeyOf(paymentEvents, kind) || amount === null || amount === 0 || currency === null) return []
  // Money that arrives names its transaction or gateway. Without either the order was paid by account credit or by decision of the
  // operator, or a part that had arrived before has become account credit, which earlier versions called "credited" too.
  if (reference === null) return []
  const payment = amountOf(Math.abs(amount), currency)
  return [{ type: paymentEvents[kind], at, ...aboutOrder(order), data: { order, payment } }]
}

function ofOrderService({ kind, at }: EventRow, service: ServiceState): NewWebhookEvent[] {
  if (!isKeyOf(orderServiceEvents, kind)) return []
  return [{ type: orderServiceEvents[kind], at, ...aboutService(service), data: { service } }]
}

/** Writes the webhook event of a new event of a service, in the transaction that appends it. */
export async function appendServiceWebhookEvent(
  ctx: DbContext,
  serviceId: string,
  { kind, at, detail }: ServiceEvent,
): Promise<void> {
  if (kind !== "reminded" && !isKeyOf(serviceEvents, kind)) return
  const row = await selectedServices(ctx).where("services.id", "=", serviceId).executeTakeFirst()
  if (!row) throw new BillingError("unreadable", "Service of an event not found")
  const service = serviceState(row)
  const about = { at, ...aboutService(service) }
  if (kind === "reminded") {
    const step = bounded(String(detail?.step ?? ""))
    await appendWebhookEvents(ctx, [{ type: "service.renewal_due", ...about, data: { service, step } }])
  } else {
    await appendWebhookEvents(ctx, [{ type: serviceEvents[kind], ...about, data: { service } }])
  }
}

function aboutOrder({ id, customer }: OrderState) {
  return { object: "order", objectId: id, clientId: customer.id } as const
}

function aboutService({ id, customer }: ServiceState) {
  return { object: "service", objectId: id, clientId: customer.id } as const
}

function selectedServices({ db }: DbContext) {
  return db
    .selectFrom("services")
    .innerJoin("clients", "clients.id", "services.client_id")
    .select(["services.id", "services.client_id", "services.order_id", "services.kind", "services.status"])
    .select(["services.product_id", "services.name", "services.cycle", "services.connections"])
    .select(["services.proxy_protection", "services.created_at", "services.paid_until"])
    .select(["services.suspension_owner", "clients.email"])
}

/** The services that an order has created or renewed; none: it has changed one that was provisioned before. */
async function servicesOfOrder(ctx: DbContext, orderId: string): Promise<readonly ServiceState[]> {
  const rows = await selectedServices(ctx)
    .where("services.id", "in", (row) =>
      row
        .selectFrom("orders")
        .select("orders.service_id")
        .where("orders.id", "=", orderId)
        .where("orders.kind", "in", ["plan", "reseller", "line"])
        .unionAll(
          row.selectFrom("renewal_items").select("renewal_items.service_id").where("order_id", "=", orderId),
        ),
    )
    .orderBy("services.id")
    .execute()
  return rows.map(serviceState)
}

/** `paidAt`: position on its timeline at which it became paid; null: it is unpaid. */
type StoredOrder = { readonly state: OrderState; readonly paidAt: number | null }

async function storedOrder({ db }: DbContext, orderId: string): Promise<StoredOrder> {
  const row = await db
    .selectFrom("orders")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .innerJoin("clients", "clients.id", "orders.client_id")
    .leftJoin("promotions", "promotions.code_key", "orders.promo_key")
    .select(["orders.id", "orders.kind", "orders.status", "orders.gateway", "orders.client_id"])
    .select(["orders.tax", "orders.external_tax", "orders.service_id", "orders.affiliate_id"])
    .select(["orders.placed_at", "orders.deadline"])
    .select(["invoices.id as invoice_id", "invoices.total", "invoices.received", "invoices.credited"])
    .select(["invoices.currency", "clients.email", "promotions.code"])
    .select(({ selectFrom }) =>
      selectFrom("order_events")
        .select(({ fn }) => fn.min("position").as("paid_at"))
        .whereRef("order_events.order_id", "=", "orders.id")
        .where("order_events.kind", "=", "paid")
        .as("paid_at"),
    )
    .where("orders.id", "=", orderId)
    .executeTakeFirst()
  if (!row) throw new BillingError("unreadable", "Order of a timeline event not found")
  return { state: orderState(row), paidAt: row.paid_at }
}

type StoredServiceState = Pick<
  ServiceRow,
  | "id"
  | "client_id"
  | "order_id"
  | "kind"
  | "status"
  | "product_id"
  | "name"
  | "cycle"
  | "connections"
  | "proxy_protection"
  | "created_at"
  | "paid_until"
  | "suspension_owner"
> &
  Pick<ClientRow, "email">

type StoredOrderState = Pick<
  OrderRow,
  | "id"
  | "kind"
  | "status"
  | "gateway"
  | "client_id"
  | "service_id"
  | "affiliate_id"
  | "placed_at"
  | "deadline"
  | "tax"
  | "external_tax"
> &
  Pick<InvoiceRow, "total" | "received" | "credited" | "currency"> &
  Pick<ClientRow, "email"> & { readonly invoice_id: string; readonly code: string | null }

function orderState(row: StoredOrderState): OrderState {
  const { currency } = row
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    customer: { id: row.client_id, email: bounded(row.email) },
    serviceId: row.service_id,
    invoiceId: row.invoice_id,
    gateway: row.gateway,
    total: amountOf(row.total, currency),
    ...taxIn(row),
    received: amountOf(row.received, currency),
    credited: amountOf(row.credited, currency),
    promoCode: row.code === null ? null : bounded(row.code),
    affiliateId: row.affiliate_id === null ? null : bounded(row.affiliate_id),
    placedAt: timeOf(row.placed_at),
    deadline: timeOf(row.deadline),
  }
}

function taxIn({ tax, status, external_tax, currency }: StoredOrderState): Pick<OrderState, "tax"> {
  if (tax !== null) {
    const current = currentTax(parseOrderTax(tax), status)
    return { tax: amountOf(taxTotal(current).tax, currency) }
  }
  if (external_tax === null) return {}
  const stated = parseExternalTax(external_tax)
  return {
    tax: amountOf(
      stated.reduce((sum, { amount }) => sum + amount, 0),
      currency,
    ),
  }
}

function serviceState(row: StoredServiceState): ServiceState {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    customer: { id: row.client_id, email: bounded(row.email) },
    orderId: row.order_id,
    productId: bounded(row.product_id),
    productName: bounded(row.name),
    cycle: row.cycle,
    connections: row.connections,
    proxyProtection: row.proxy_protection === 1,
    createdAt: timeOf(row.created_at),
    paidUntil: row.paid_until === null ? null : timeOf(row.paid_until),
    suspension: row.suspension_owner === null ? null : { owner: row.suspension_owner },
  }
}

function amountOf(minor: number, currency: Currency): EventAmount {
  return { amount: toDecimal(money(minor, currency)), currency }
}

function timeOf(at: Instant): string {
  return new Date(at).toISOString()
}
