import type { Instant } from "~/domain/calendar"
import { type Money, money } from "~/domain/money"
import type { Order } from "~/domain/order"
import type { OrderStatus } from "~/domain/order-status"
import type { Service } from "~/domain/service"
import type { TimelineEvent } from "~/domain/timeline"
import { type Books, told } from "./books.server"
import { exportCatalogue, importCatalogue } from "./catalogue.server"
import type { CatalogueFile } from "./catalogue-file"
import { creditOf, type Movement, movementsOf } from "./money/ledger.server"
import { order } from "./orders/orders.server"
import { service } from "./orders/services.server"
import { timeline } from "./orders/timeline.server"
import type { OutboxRow } from "./schema/schema"

/** What the operator's command line asks beyond what checkout needs. Every call may throw a `BillingError`. */
export interface Operator {
  exportCatalogue(): Promise<CatalogueFile>
  /** Makes the catalogue exactly what the file says; promotions that stay keep how often they were used. */
  importCatalogue(file: CatalogueFile): Promise<void>
  /** The newest first; only those in a status, when one is named. */
  orders(filter: OrderFilter): Promise<readonly OrderListed[]>
  /** Everything the books know of one order; null when there is none of that number. */
  order(id: string): Promise<OrderShown | null>
  /** Jobs that have been given up and wait for the operator. */
  parkedJobs(): Promise<readonly ParkedJob[]>
}

type OrderFilter = { readonly most: number; readonly status?: OrderStatus | undefined }

type OrderListed = {
  readonly id: string
  readonly status: OrderStatus
  readonly email: string
  readonly total: Money
  readonly received: Money
  readonly placedAt: Instant
}

type OrderShown = {
  readonly order: Order
  readonly email: string
  readonly service: Service | null
  readonly movements: readonly Movement[]
  /** What the customer has to his credit, from all his orders. */
  readonly credit: readonly Money[]
  readonly timeline: readonly TimelineEvent[]
}

type ParkedJob = Pick<OutboxRow, "id" | "topic" | "subject" | "tries" | "reason">

export function operatorOf(books: Books): Operator {
  return {
    exportCatalogue: () => told(exportCatalogue(books)),
    importCatalogue: (file) => told(importCatalogue(books, file)),
    orders: (filter) => told(listOrders(books, filter)),
    order: (id) => told(showOrder(books, id)),
    parkedJobs: () => told(parkedJobs(books)),
  }
}

async function listOrders({ db }: Books, { most, status }: OrderFilter): Promise<readonly OrderListed[]> {
  const orders = db
    .selectFrom("orders")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .innerJoin("clients", "clients.id", "orders.client_id")
    .select(["orders.id", "orders.status", "orders.placed_at", "clients.email"])
    .select(["invoices.total", "invoices.received", "invoices.currency"])
    .orderBy("orders.placed_at", "desc")
    .limit(most)
  const rows = await (status ? orders.where("orders.status", "=", status) : orders).execute()
  return rows.map(({ id, email, total, received, currency, placed_at, ...row }) => ({
    ...{ id, email, status: row.status, placedAt: placed_at },
    ...{ total: money(total, currency), received: money(received, currency) },
  }))
}

async function showOrder(books: Books, id: string): Promise<OrderShown | null> {
  const found = await order(books, id)
  if (!found) return null
  return {
    order: found,
    email: await emailOf(books, found.customerId),
    service: await service(books, found.serviceId),
    movements: await movementsOf(books, id),
    credit: await creditOf(books, found.customerId),
    timeline: await timeline(books, id),
  }
}

async function parkedJobs({ db }: Books): Promise<readonly ParkedJob[]> {
  return db
    .selectFrom("outbox")
    .select(["id", "topic", "subject", "tries", "reason"])
    .where("state", "=", "parked")
    .orderBy("due")
    .execute()
}

async function emailOf({ db }: Books, clientId: string): Promise<string> {
  const row = await db.selectFrom("clients").select("email").where("id", "=", clientId).executeTakeFirst()
  return row?.email ?? ""
}
