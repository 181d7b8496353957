import type { Instant } from "~/domain/calendar"
import type { Service, ServiceStatus } from "~/domain/service"
import type { ServiceEvent } from "~/domain/service-event"
import type { DbContext } from "../db/transaction.server"
import { service } from "../services/services.server"

export type ServiceFilter = {
  readonly limit: number
  readonly status?: ServiceStatus | undefined
  readonly productId?: string | undefined
}

export type ServiceListItem = Pick<Service, "id" | "name" | "status" | "username"> & {
  readonly email: string
  readonly paidUntil: Instant | null
}

export type ServiceDetails = {
  readonly service: Service
  readonly email: string
  /** Nothing is suspended or terminated before; null: no limit. */
  readonly notBefore: Instant | null
  readonly events: readonly ServiceEvent[]
}

/** Services by the end of their paid time, the next to end first; those without an end last. */
export async function listServices(
  { db }: DbContext,
  { limit, status, productId }: ServiceFilter,
): Promise<readonly ServiceListItem[]> {
  const services = db
    .selectFrom("services")
    .innerJoin("clients", "clients.id", "services.client_id")
    .select(["services.id", "services.name", "services.status", "services.username", "clients.email"])
    .select("services.paid_until as paidUntil")
    .$if(status !== undefined, (query) => query.where("services.status", "=", status as ServiceStatus))
    .$if(productId !== undefined, (query) => query.where("services.product_id", "=", productId as string))
    .limit(limit)
  const ending = await services
    .where("services.paid_until", "is not", null)
    .orderBy("services.paid_until")
    .orderBy("services.id")
    .execute()
  const left = limit - ending.length
  if (left === 0) return ending
  const endless = await services
    .where("services.paid_until", "is", null)
    .orderBy("services.id")
    .limit(left)
    .execute()
  return [...ending, ...endless]
}

/** A service with its timeline, by its number or that of its order; null if there is none. */
export async function showService(ctx: DbContext, number: string): Promise<ServiceDetails | null> {
  const found = (await service(ctx, number)) ?? (await serviceOfOrder(ctx, number))
  if (!found) return null
  const { email, notBefore } = await ctx.db
    .selectFrom("services")
    .innerJoin("clients", "clients.id", "services.client_id")
    .select(["clients.email", "services.not_before as notBefore"])
    .where("services.id", "=", found.id)
    .executeTakeFirstOrThrow()
  return { service: found, email, notBefore, events: await eventsOf(ctx, found.id) }
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

async function serviceOfOrder(ctx: DbContext, number: string): Promise<Service | null> {
  const order = await ctx.db
    .selectFrom("orders")
    .select("service_id")
    .where("id", "=", number)
    .executeTakeFirst()
  return order?.service_id ? service(ctx, order.service_id) : null
}
