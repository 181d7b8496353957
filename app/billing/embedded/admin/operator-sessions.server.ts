import { createHash } from "node:crypto"
import type {
  NewOperatorSession,
  OperatorSession,
  SessionLimits,
  SessionListed,
} from "~/billing/operators/operators"
import { type Instant, MINUTE } from "~/domain/calendar"
import { type DbContext, inTransaction } from "../db/transaction.server"

/** The use of a session is recorded this often, not with every page. */
const RECORDED_EVERY = MINUTE

/** The salt of the hash makes it another mark with every new password. */
export function passwordMarkOf(passwordHash: string): string {
  return createHash("sha256").update(passwordHash).digest("base64url")
}

/**
 * Opens a session: see `OperatorRepository.addSession`. The lock makes who takes the access away wait, and end this session too, or
 * this one find that it is gone: a sign-in takes as long as its password is checked.
 */
export async function addSession(ctx: DbContext, session: NewOperatorSession): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const isAllowed = await mayOpen(tx, session)
    if (isAllowed) await insertSession(tx, session)
    return isAllowed
  })
}

async function mayOpen(
  { db }: DbContext,
  { operatorId, passwordMark }: NewOperatorSession,
): Promise<boolean> {
  const operator = await db
    .updateTable("operators")
    .set((row) => ({ email_key: row.ref("email_key") }))
    .where("id", "=", operatorId)
    .where("disabled_at", "is", null)
    .returning("password_hash")
    .executeTakeFirst()
  const hash = operator?.password_hash ?? null
  return hash !== null && (passwordMark === undefined || passwordMark === passwordMarkOf(hash))
}

async function insertSession({ db }: DbContext, session: NewOperatorSession): Promise<void> {
  await db
    .insertInto("operator_sessions")
    .values({
      id: session.id,
      token_hash: session.tokenHash,
      operator_id: session.operatorId,
      created_at: session.at,
      used_at: session.at,
      proven_at: session.at,
      ended_at: null,
      address: session.address,
      browser: session.browser,
    })
    .execute()
}

export async function session(
  ctx: DbContext,
  tokenHash: string,
  { now, idle, longest, isUse }: SessionLimits & { readonly isUse: boolean },
): Promise<OperatorSession | null> {
  const row = await ctx.db
    .selectFrom("operator_sessions")
    .innerJoin("operators", "operators.id", "operator_sessions.operator_id")
    .select(["operator_sessions.id", "operator_id", "email", "role", "proven_at", "used_at"])
    .where("token_hash", "=", tokenHash)
    .where("ended_at", "is", null)
    .where("operator_sessions.created_at", ">", now - longest)
    .where("used_at", ">", now - idle)
    .where("disabled_at", "is", null)
    .executeTakeFirst()
  if (!row) return null
  if (isUse && row.used_at <= now - RECORDED_EVERY) await recordUse(ctx, row.id, now)
  return {
    id: row.id,
    operatorId: row.operator_id,
    email: row.email,
    role: row.role,
    provenAt: row.proven_at,
  }
}

async function recordUse({ db }: DbContext, id: string, now: Instant): Promise<void> {
  await db.updateTable("operator_sessions").set({ used_at: now }).where("id", "=", id).execute()
}

export async function prove({ db }: DbContext, sessionId: string, at: Instant): Promise<void> {
  await db.updateTable("operator_sessions").set({ proven_at: at }).where("id", "=", sessionId).execute()
}

export async function sessions(
  { db }: DbContext,
  operatorId: string,
  { now, idle, longest }: SessionLimits,
): Promise<readonly SessionListed[]> {
  const rows = await db
    .selectFrom("operator_sessions")
    .select(["id", "created_at", "used_at", "address", "browser"])
    .where("operator_id", "=", operatorId)
    .where("ended_at", "is", null)
    .where("created_at", ">", now - longest)
    .where("used_at", ">", now - idle)
    .orderBy("used_at", "desc")
    .execute()
  return rows.map(({ id, created_at, used_at, address, browser }) => ({
    id,
    createdAt: created_at,
    usedAt: used_at,
    address,
    browser,
  }))
}

export async function endSession(
  { db }: DbContext,
  operatorId: string,
  sessionId: string,
  at: Instant,
): Promise<boolean> {
  const ended = await db
    .updateTable("operator_sessions")
    .set({ ended_at: at })
    .where("id", "=", sessionId)
    .where("operator_id", "=", operatorId)
    .where("ended_at", "is", null)
    .returning("id")
    .executeTakeFirst()
  return ended !== undefined
}

/** Ends the open sessions of an operator, except one that is kept. */
export async function endSessions(
  { db }: DbContext,
  operatorId: string,
  at: Instant,
  kept = "",
): Promise<number> {
  const ended = await db
    .updateTable("operator_sessions")
    .set({ ended_at: at })
    .where("operator_id", "=", operatorId)
    .where("id", "<>", kept)
    .where("ended_at", "is", null)
    .returning("id")
    .execute()
  return ended.length
}

/** There are few rows: a session is opened once a day by each operator. */
export async function deleteSessions({ db }: DbContext, before: Instant): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("operator_sessions")
    .where("created_at", "<", before)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
