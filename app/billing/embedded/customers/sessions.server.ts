import type { SessionRepository } from "~/billing/session-repository"
import type { AuthenticatedCustomer } from "~/domain/customer"
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
  { db }: DbContext,
  { id, asOf, customer, orderId, serviceIds }: Parameters<SessionRepository["isEnded"]>[0],
): Promise<boolean> {
  const itself = db.selectFrom("ended_sessions").select("id").where("id", "=", id)
  const ended = () => db.selectFrom("clients").select("clients.id").where("clients.sessions_since", ">", asOf)
  const byService = (column: "services.id" | "services.local_id") =>
    ended().innerJoin("services", "services.client_id", "clients.id").where(column, "in", serviceIds)
  const signedIn = db
    .selectFrom("clients")
    .select("id")
    .where("id", "=", customer?.id ?? "")
    .where((row) =>
      customer?.reach === "sign-up"
        ? row.or([row("sessions_since", ">", asOf), row("sign_up_sessions_since", ">", asOf)])
        : row("sessions_since", ">", asOf),
    )
  const row = await itself
    .$if(customer !== null, (all) => all.unionAll(signedIn))
    .$if(orderId !== null, (all) =>
      all.unionAll(
        ended().innerJoin("orders", "orders.client_id", "clients.id").where("orders.id", "=", orderId),
      ),
    )
    .$if(serviceIds.length > 0, (all) =>
      all.unionAll(byService("services.id")).unionAll(byService("services.local_id")),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

async function deleteEndedSessions({ db }: DbContext, now: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("ended_sessions")
    .where("until", "<=", now)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
