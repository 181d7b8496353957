import type { SessionRepository } from "~/billing/customers/session-repository"
import type { Instant } from "~/domain/calendar"
import type { AccessLevel, AuthenticatedCustomer } from "~/domain/customers/customer"
import { precompiledQueryBy } from "../db/precompiled-query.server"
import { type DbContext, guarded } from "../db/transaction.server"
import { sessionsEnded } from "./customers.server"

/** Creates the session repository of the embedded database. */
export function sessionsOf(ctx: DbContext): SessionRepository {
  return guarded<SessionRepository>(ctx, { end, endAllOf, isEnded, deleteEndedSessions })
}

async function end({ db }: DbContext, id: string, until: number): Promise<void> {
  await db
    .insertInto("ended_sessions")
    .values({ id, until })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ until }))
    .execute()
}

async function endAllOf({ db }: DbContext, { id, reach }: AuthenticatedCustomer, at: number): Promise<void> {
  await db.updateTable("clients").set(sessionsEnded(reach, at)).where("id", "=", id).execute()
}

/** Checks session, customer, order and services in one query: see `SessionRepository.isEnded`. */
async function isEnded(
  ctx: DbContext,
  { id, asOf, customer, orderId, serviceIds }: Parameters<SessionRepository["isEnded"]>[0],
): Promise<boolean> {
  const known = { id, asOf, customerId: customer?.id ?? NOBODY, orderId: orderId ?? NOBODY }
  const reach = customer?.reach ?? "account"
  const [serviceId = NOBODY, ...others] = serviceIds
  if (others.length === 0) return (await endedRows[reach](ctx, { ...known, serviceId })).length > 0
  const row = await lookUp(ctx, { ...known, serviceIds }, reach).executeTakeFirst()
  return row !== undefined
}

/** No row has this id. */
const NOBODY = "-"

type Known = {
  readonly id: string
  readonly asOf: Instant
  readonly customerId: string
  readonly orderId: string
}

/** Compiled once, since every request of a known visitor looks it up, and few hold more than one service. */
const endedRows = { account: endedRowsOf("account"), "sign-up": endedRowsOf("sign-up") }

function endedRowsOf(reach: AccessLevel) {
  return precompiledQueryBy<Known & { readonly serviceId: string }, { id: string }>(
    { id: "text", asOf: "integer", customerId: "text", orderId: "text", serviceId: "text" },
    (ctx, { serviceId, ...known }) => lookUp(ctx, { ...known, serviceIds: [serviceId] }, reach),
  )
}

/** Rows of what has ended a session: itself, its customer's, or that of its order or services. */
function lookUp(
  { db }: Pick<DbContext, "db">,
  { id, asOf, customerId, orderId, serviceIds }: Known & { readonly serviceIds: readonly string[] },
  reach: AccessLevel,
) {
  const ended = () => db.selectFrom("clients").select("clients.id").where("clients.sessions_since", ">", asOf)
  const byService = (column: "services.id" | "services.local_id") =>
    ended().innerJoin("services", "services.client_id", "clients.id").where(column, "in", serviceIds)
  const signedIn = db
    .selectFrom("clients")
    .select("id")
    .where("id", "=", customerId)
    .where((row) =>
      reach === "sign-up"
        ? row.or([row("sessions_since", ">", asOf), row("sign_up_sessions_since", ">", asOf)])
        : row("sessions_since", ">", asOf),
    )
  return db
    .selectFrom("ended_sessions")
    .select("id")
    .where("id", "=", id)
    .unionAll(signedIn)
    .unionAll(ended().innerJoin("orders", "orders.client_id", "clients.id").where("orders.id", "=", orderId))
    .unionAll(byService("services.id"))
    .unionAll(byService("services.local_id"))
    .limit(1)
}

async function deleteEndedSessions({ db }: DbContext, now: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("ended_sessions")
    .where("until", "<=", now)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
