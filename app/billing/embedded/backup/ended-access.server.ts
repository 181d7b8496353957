import type { Kysely } from "kysely"
import type { Tables } from "../db/schema/schema"
import type { DbContext } from "../db/transaction.server"

const BATCH = 200

/** What the database that a backup replaces knows of access that has ended. */
export type EndedAccess = Awaited<ReturnType<typeof endedAccess>>

/** Reads it before the tables are emptied. */
export async function endedAccess({ db }: DbContext) {
  return {
    sessions: await db.selectFrom("ended_sessions").selectAll().execute(),
    clients: await db
      .selectFrom("clients")
      .select(["id", "sessions_since", "sign_up_sessions_since"])
      .where((row) =>
        row.or([row("sessions_since", "is not", null), row("sign_up_sessions_since", "is not", null)]),
      )
      .execute(),
    operators: await db
      .selectFrom("operators")
      .select(["id", "disabled_at", "password_hash", "totp_secret"])
      .execute(),
    recoveryCodes: await db.selectFrom("operator_recovery_codes").selectAll().execute(),
  }
}

/**
 * Keeps ended what a backup would bring back: sessions of customers that have ended since, operators who were disabled or have other
 * factors since, recovery codes that were used, and, whatever the database knew before, all sessions and one-time links of the console,
 * sign-ins by mail and changes of e-mail that are open, and what waits for a second operator, since it may have been decided, or what was
 * confirmed may have been carried out, since.
 */
export async function keepEnded(
  { db }: DbContext,
  { sessions, clients, operators, recoveryCodes }: EndedAccess,
): Promise<void> {
  for (let first = 0; first < sessions.length; first += BATCH)
    await db
      .insertInto("ended_sessions")
      .values(sessions.slice(first, first + BATCH))
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute()
  for (const { id, sessions_since, sign_up_sessions_since } of clients) {
    await endSessionsBefore(db, { id, column: "sessions_since", at: sessions_since })
    await endSessionsBefore(db, { id, column: "sign_up_sessions_since", at: sign_up_sessions_since })
  }
  await db
    .updateTable("operator_sessions")
    .set((row) => ({ ended_at: row.ref("used_at") }))
    .where("ended_at", "is", null)
    .execute()
  await db.updateTable("operators").set({ link_hash: null }).execute()
  for (const operator of operators)
    await keepOut(db, {
      ...operator,
      codes: recoveryCodes.filter(({ operator_id }) => operator_id === operator.id),
    })
  await endOpenRequests(db)
  await db
    .updateTable("approvals")
    .set((row) => ({ expires_at: row.ref("at") }))
    .where("decision", "is", null)
    .execute()
  await db
    .updateTable("approvals")
    .set({ result: "ended-by-restore" })
    .where("decision", "=", "confirmed")
    .where("result", "is", null)
    .execute()
}

/** Who still needs them asks for others: they hold for less than an hour. */
async function endOpenRequests(db: Kysely<Tables>): Promise<void> {
  await db
    .updateTable("sign_in_requests")
    .set((row) => ({ ended_at: row.ref("created_at") }))
    .where("ended_at", "is", null)
    .execute()
  await db
    .updateTable("email_changes")
    .set((row) => ({ ended_at: row.ref("created_at") }))
    .where("confirmed_at", "is", null)
    .where("ended_at", "is", null)
    .execute()
}

type Ended = {
  readonly id: string
  readonly column: "sessions_since" | "sign_up_sessions_since"
  readonly at: number | null
}

async function endSessionsBefore(db: Kysely<Tables>, { id, column, at }: Ended): Promise<void> {
  if (at === null) return
  await db
    .updateTable("clients")
    .set({ [column]: at })
    .where("id", "=", id)
    .where((row) => row.or([row(column, "is", null), row(column, "<", at)]))
    .execute()
}

/** A password or an app that was replaced may be known to others: without a password only a new one-time link lets the operator in. */
async function keepOut(
  db: Kysely<Tables>,
  {
    id,
    disabled_at,
    password_hash,
    totp_secret,
    codes,
  }: EndedAccess["operators"][number] & { readonly codes: EndedAccess["recoveryCodes"] },
): Promise<void> {
  await db
    .updateTable("operators")
    .set({ password_hash: null })
    .where("id", "=", id)
    .where((row) =>
      row.or([
        row("password_hash", "is distinct from", password_hash),
        row("totp_secret", "is distinct from", totp_secret),
      ]),
    )
    .execute()
  const unused = codes.map(({ code_hash }) => code_hash)
  await db
    .deleteFrom("operator_recovery_codes")
    .where("operator_id", "=", id)
    .$if(unused.length > 0, (query) => query.where("code_hash", "not in", unused))
    .execute()
  if (disabled_at !== null)
    await db
      .updateTable("operators")
      .set({ disabled_at })
      .where("id", "=", id)
      .where("disabled_at", "is", null)
      .execute()
}
