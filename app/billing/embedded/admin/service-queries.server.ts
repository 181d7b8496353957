import { setImmediate } from "node:timers/promises"
import { sql } from "kysely"
import type { JobListed } from "~/billing/orders/order-admin"
import type {
  ServiceDetails,
  ServiceListItem,
  ServiceOrder,
  ServiceRange,
} from "~/billing/services/service-admin"
import type { Service } from "~/domain/services/service"
import type { ServiceEvent } from "~/domain/services/service-event"
import type { DbContext } from "../db/transaction.server"
import { service } from "../services/services.server"

/** See `ServiceAdmin.services`. */
export async function listServices(ctx: DbContext, range: ServiceRange): Promise<readonly ServiceListItem[]> {
  // SQLite runs on the thread of the pages: a search of many ranges lets them in between.
  await setImmediate()
  const { by, status, from, until, beyond, newer = false, limit } = range
  const way = newer ? "asc" : "desc"
  const at = columns[by]
  const place = sql`(${sql.ref(at)}, services.id)`
  const last = sql`(${beyond?.at ?? 0}, ${beyond?.id ?? ""})`
  return serviceItems(ctx)
    .$if(by !== "created", (query) => query.where(at, "is not", null))
    .$if(status !== undefined, (query) => query.where("services.status", "=", status ?? "Active"))
    .$if(from !== undefined, (query) => query.where(at, ">=", from ?? 0))
    .$if(until !== undefined, (query) => query.where(at, "<", until ?? 0))
    .$if(beyond !== undefined, (query) =>
      query.where(newer ? sql<boolean>`${place} > ${last}` : sql<boolean>`${place} < ${last}`),
    )
    .orderBy(at, way)
    .orderBy("services.id", way)
    .limit(limit)
    .execute()
}

const columns = {
  created: "services.created_at",
  ending: "services.paid_until",
  step: "services.next_step_at",
} as const satisfies Record<ServiceOrder, string>

/** Services of a customer, newest first. */
export function servicesOfClient(
  ctx: DbContext,
  clientId: string,
  limit: number,
): Promise<readonly ServiceListItem[]> {
  return serviceItems(ctx)
    .where("services.client_id", "=", clientId)
    .orderBy("services.created_at", "desc")
    .orderBy("services.id")
    .limit(limit)
    .execute()
}

function serviceItems({ db }: DbContext) {
  return db
    .selectFrom("services")
    .innerJoin("clients", "clients.id", "services.client_id")
    .select(["services.id", "services.name", "services.status", "services.username", "clients.email"])
    .select(["services.product_id as productId", "services.created_at as createdAt"])
    .select(["services.paid_until as paidUntil", "services.next_step_at as nextStepAt"])
}

/** A service with its timeline, by its number or that of its order; null if there is none. */
export async function showService(ctx: DbContext, number: string): Promise<ServiceDetails | null> {
  const found = (await service(ctx, number)) ?? (await serviceOfOrder(ctx, number))
  if (!found) return null
  const about = await ctx.db
    .selectFrom("services")
    .innerJoin("clients", "clients.id", "services.client_id")
    .select(["clients.email", "services.created_at as createdAt", "services.not_before as notBefore"])
    .where("services.id", "=", found.id)
    .executeTakeFirstOrThrow()
  return { ...about, service: found, events: await eventsOf(ctx, found.id), jobs: await jobsOf(ctx, found) }
}

async function eventsOf({ db }: DbContext, serviceId: string): Promise<readonly ServiceEvent[]> {
  const rows = await db
    .selectFrom("service_events")
    .select(["kind", "at", "detail"])
    .where("service_id", "=", serviceId)
    .orderBy("position")
    .execute()
  return rows.map(({ kind, at, detail }) => ({
    kind,
    at,
    detail: detail === null ? null : JSON.parse(detail),
  }))
}

/** Without `next-plan`, which only waits for the end of the term and is never retried. */
const topics = [
  "provision",
  "recreate",
  "device",
  "plan",
  "reseller-credits",
  "extend",
  "suspend",
  "resume",
  "terminate",
] as const satisfies readonly JobListed["topic"][]

/** Each kind of job has one row for a service, that of connections one for each order, so this reads a few rows by a unique key. */
async function jobsOf(
  { db }: DbContext,
  { id, customerId, orderId }: Service,
): Promise<readonly JobListed[]> {
  const orders = db
    .selectFrom("orders")
    .select("id")
    // An order is of one customer: their orders are found by an index.
    .where("client_id", "=", customerId)
    .where("service_id", "=", id)
  const rows = await db
    .selectFrom("outbox")
    .select(["id", "topic", "subject", "state", "tries", "due", "reason", "put_off_at as triedAt"])
    .where((row) =>
      row.or([
        row.and([row("topic", "in", topics), row("subject", "=", id)]),
        row.and([row("topic", "=", "connections"), row("subject", "in", orders)]),
      ]),
    )
    .where("state", "!=", "done")
    .orderBy("put_off_at")
    .execute()
  return rows.map(({ subject, ...row }) => ({
    ...row,
    orderId: row.topic === "connections" ? subject : orderId,
  }))
}

async function serviceOfOrder(ctx: DbContext, number: string): Promise<Service | null> {
  const order = await ctx.db
    .selectFrom("orders")
    .select("service_id")
    .where("id", "=", number)
    .executeTakeFirst()
  return order?.service_id ? service(ctx, order.service_id) : null
}
