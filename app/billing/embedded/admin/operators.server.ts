import type {
  AccountChange,
  ChangedBy,
  NewOperator,
  OperatorListed,
  OperatorRepository,
  OperatorSecrets,
  OperatorSetUp,
  UsedLink,
} from "~/billing/operators/operators"
import type { Instant } from "~/domain/calendar"
import { normalizeEmail } from "~/domain/customers/email"
import { isSettingUp } from "~/domain/operators/approval"
import { hashPassword, verifyPassword } from "../customers/password-hash.server"
import { type DbContext, guarded, inTransaction } from "../db/transaction.server"
import { mailOwners } from "../mail/access-mails.server"
import {
  addSession,
  deleteSessions,
  endSession,
  endSessions,
  passwordMarkOf,
  prove,
  session,
  sessions,
} from "./operator-sessions.server"

/** The operators in the embedded database. */
export function operatorsOf(ctx: DbContext): OperatorRepository {
  return guarded<OperatorRepository>(ctx, {
    exist,
    add,
    list,
    find,
    reset,
    disable,
    byLink,
    setUp,
    checkPassword,
    spendCode,
    spendRecoveryCode,
    recoveryCodesLeft,
    replaceRecoveryCodes,
    changePassword,
    addSession,
    session,
    prove,
    sessions,
    endSession,
    endSessions,
    deleteSessions,
  })
}

async function exist({ db }: DbContext): Promise<boolean> {
  return (await db.selectFrom("operators").select("id").limit(1).executeTakeFirst()) !== undefined
}

/**
 * Runs a change of an account if who asks is an owner who can sign in. Both rows are locked in the order of their ids: of two owners
 * who disable each other at one moment the second waits, and finds out that it is none any more.
 */
function changedBy(
  ctx: DbContext,
  { operatorId }: ChangedBy,
  { id, change }: { id: string; change: (tx: DbContext) => Promise<AccountChange> },
): Promise<AccountChange> {
  if (operatorId === null) return inTransaction(ctx, change)
  return inTransaction(ctx, async (tx) => {
    const owners: string[] = []
    for (const each of [operatorId, id].sort()) if (await lockedOwner(tx, each)) owners.push(each)
    return owners.includes(operatorId) ? change(tx) : "no-owner"
  })
}

/** A write without a change locks the row on PostgreSQL; on SQLite the transaction is the only one anyway. */
function lockOperator({ db }: DbContext, id: string) {
  return db
    .updateTable("operators")
    .set((it) => ({ email_key: it.ref("email_key") }))
    .where("id", "=", id)
    .returning(["role", "disabled_at", "password_hash"])
    .executeTakeFirst()
}

async function lockedOwner(ctx: DbContext, id: string): Promise<boolean> {
  const row = await lockOperator(ctx, id)
  return row?.role === "owner" && row.disabled_at === null && row.password_hash !== null
}

function add(ctx: DbContext, operator: NewOperator, by: ChangedBy): Promise<AccountChange> {
  const { id, role, at } = operator
  const email = operator.email.trim()
  const change = async (tx: DbContext) => {
    const added = await insertOperator(tx, operator, by)
    if (added === "done") await mailOwners(tx, { change: "added", id, email, role, at }, by)
    return added
  }
  return changedBy(ctx, by, { id, change })
}

async function insertOperator(tx: DbContext, operator: NewOperator, by: ChangedBy): Promise<AccountChange> {
  const { db } = tx
  const isOfSetUp = await isGivenAtSetUp(tx, operator.at, by)
  const added = await db
    .insertInto("operators")
    .values({
      id: operator.id,
      email_key: normalizeEmail(operator.email),
      email: operator.email.trim(),
      role: operator.role,
      created_at: operator.at,
      disabled_at: null,
      password_hash: null,
      totp_secret: operator.totpSecret,
      totp_counter: 0,
      link_hash: operator.linkHash,
      link_until: operator.linkUntil,
      access_at: operator.at,
      counts_at_once: isOfSetUp ? 1 : 0,
    })
    .onConflict((conflict) => conflict.column("email_key").doNothing())
    .returning("id")
    .executeTakeFirst()
  return added ? "done" : "unchanged"
}

/** Whether the admin CLI gives an access while the console is set up. */
async function isGivenAtSetUp({ db }: DbContext, at: Instant, { operatorId }: ChangedBy): Promise<boolean> {
  if (operatorId !== null) return false
  const first = await db
    .selectFrom("operators")
    .select("created_at")
    .orderBy("created_at")
    .limit(1)
    .executeTakeFirst()
  return isSettingUp({ at, firstAt: first?.created_at ?? null })
}

function listed({ db }: DbContext) {
  return db
    .selectFrom("operators")
    .select([
      "id",
      "email",
      "role",
      "created_at",
      "access_at",
      "counts_at_once",
      "disabled_at",
      "password_hash",
    ])
    .select((row) =>
      row
        .selectFrom("operator_sessions")
        .select((sessions) => sessions.fn.max("used_at").as("at"))
        .whereRef("operator_id", "=", "operators.id")
        .as("used_at"),
    )
    .orderBy("email_key")
}

type ListedRow = Awaited<ReturnType<ReturnType<typeof listed>["execute"]>>[number]

function operatorOf(row: ListedRow): OperatorListed {
  const { id, email, role, created_at, access_at, disabled_at, password_hash, used_at } = row
  return {
    id,
    email,
    role,
    createdAt: created_at,
    accessAt: access_at ?? created_at,
    countsAtOnce: row.counts_at_once === 1,
    disabledAt: disabled_at,
    isSetUp: password_hash !== null,
    usedAt: used_at === null ? null : Number(used_at),
  }
}

/** There are as many operators as people who run the shop. */
async function list(ctx: DbContext): Promise<readonly OperatorListed[]> {
  return (await listed(ctx).execute()).map(operatorOf)
}

async function find(ctx: DbContext, email: string): Promise<OperatorListed | null> {
  const row = await listed(ctx).where("email_key", "=", normalizeEmail(email)).executeTakeFirst()
  return row ? operatorOf(row) : null
}

function reset(
  ctx: DbContext,
  id: string,
  access: Parameters<OperatorRepository["reset"]>[1],
  by: ChangedBy,
): Promise<AccountChange> {
  const change = async (tx: DbContext) => {
    const isOfSetUp = await isGivenAtSetUp(tx, access.at, by)
    const account = await tx.db
      .updateTable("operators")
      .set((row) => ({
        // Nobody is replaced in an account that was never used.
        counts_at_once: isOfSetUp
          ? row.case().when("password_hash", "is", null).then(row.ref("counts_at_once")).else(0).end()
          : 0,
        password_hash: null,
        totp_secret: access.totpSecret,
        totp_counter: 0,
        link_hash: access.linkHash,
        link_until: access.linkUntil,
        access_at: access.at,
        disabled_at: null,
      }))
      .where("id", "=", id)
      .returning(["email", "role"])
      .executeTakeFirst()
    await tx.db.deleteFrom("operator_recovery_codes").where("operator_id", "=", id).execute()
    await endSessions(tx, id, access.at)
    if (account) await mailOwners(tx, { change: "reset", id, ...account, at: access.at }, by)
    return "done" as const
  }
  return changedBy(ctx, by, { id, change })
}

function disable(ctx: DbContext, id: string, at: Instant, by: ChangedBy): Promise<AccountChange> {
  const change = async (tx: DbContext) => {
    const disabled = await tx.db
      .updateTable("operators")
      .set({ disabled_at: at, link_hash: null, link_until: null })
      .where("id", "=", id)
      .where("disabled_at", "is", null)
      .returning(["email", "role"])
      .executeTakeFirst()
    if (disabled) {
      await endSessions(tx, id, at)
      await mailOwners(tx, { change: "disabled", id, ...disabled, at }, by)
    }
    return disabled ? ("done" as const) : ("unchanged" as const)
  }
  return changedBy(ctx, by, { id, change })
}

async function byLink({ db }: DbContext, linkHash: string, now: Instant): Promise<OperatorSetUp | null> {
  const row = await db
    .selectFrom("operators")
    .select(["id", "email", "role", "totp_secret"])
    .where("link_hash", "=", linkHash)
    .where("link_until", ">", now)
    .where("disabled_at", "is", null)
    .executeTakeFirst()
  if (!row?.totp_secret) return null
  return { id: row.id, email: row.email, role: row.role, totpSecret: row.totp_secret }
}

async function setUp(ctx: DbContext, link: UsedLink): Promise<boolean> {
  // Outside the transaction, which must be short.
  const password_hash = await hashPassword(link.password)
  return inTransaction(ctx, async (tx) => {
    const used = await tx.db
      .updateTable("operators")
      .set({ password_hash, totp_counter: link.counter, link_hash: null, link_until: null })
      .where("id", "=", link.id)
      .where("link_hash", "=", link.linkHash)
      .returning("id")
      .executeTakeFirst()
    if (used) await storeCodes(tx, link.id, link.codeHashes)
    return used !== undefined
  })
}

async function storeCodes({ db }: DbContext, id: string, hashes: readonly string[]): Promise<void> {
  await db.deleteFrom("operator_recovery_codes").where("operator_id", "=", id).execute()
  const rows = hashes.map((code_hash) => ({ operator_id: id, code_hash }))
  await db.insertInto("operator_recovery_codes").values(rows).execute()
}

async function checkPassword(
  { db }: DbContext,
  email: string,
  password: string,
): Promise<OperatorSecrets | null> {
  const row = await db
    .selectFrom("operators")
    .select(["id", "email", "role", "password_hash", "totp_secret"])
    .where("email_key", "=", normalizeEmail(email))
    .where("disabled_at", "is", null)
    .executeTakeFirst()
  const isRight = await verifyPassword(password, row?.password_hash ?? null)
  if (!isRight || !row?.totp_secret) return null
  const { id, role, totp_secret: totpSecret, password_hash: hash } = row
  return { id, email: row.email, role, totpSecret, passwordMark: passwordMarkOf(hash ?? "") }
}

/** The condition is in the update: of two requests with the same code one gets in. */
async function spendCode({ db }: DbContext, id: string, counter: number): Promise<boolean> {
  const used = await db
    .updateTable("operators")
    .set({ totp_counter: counter })
    .where("id", "=", id)
    .where("totp_counter", "<", counter)
    .returning("id")
    .executeTakeFirst()
  return used !== undefined
}

async function spendRecoveryCode({ db }: DbContext, id: string, codeHash: string): Promise<boolean> {
  const used = await db
    .deleteFrom("operator_recovery_codes")
    .where("operator_id", "=", id)
    .where("code_hash", "=", codeHash)
    .returning("code_hash")
    .executeTakeFirst()
  return used !== undefined
}

async function recoveryCodesLeft({ db }: DbContext, id: string): Promise<number> {
  const rows = await db
    .selectFrom("operator_recovery_codes")
    .select("code_hash")
    .where("operator_id", "=", id)
    .execute()
  return rows.length
}

function replaceRecoveryCodes(
  ctx: DbContext,
  id: string,
  { codeHashes, keptSession, at }: Parameters<OperatorRepository["replaceRecoveryCodes"]>[1],
): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    if (!(await isStillOpen(tx, id, keptSession))) return false
    await storeCodes(tx, id, codeHashes)
    await endSessions(tx, id, at, keptSession)
    return true
  })
}

async function changePassword(
  ctx: DbContext,
  id: string,
  { password, keptSession, at }: Parameters<OperatorRepository["changePassword"]>[1],
): Promise<boolean> {
  const password_hash = await hashPassword(password)
  return inTransaction(ctx, async (tx) => {
    if (!(await isStillOpen(tx, id, keptSession))) return false
    await tx.db.updateTable("operators").set({ password_hash }).where("id", "=", id).execute()
    await endSessions(tx, id, at, keptSession)
    return true
  })
}

/** The lock makes who resets or disables the operator wait: a factor that is changed at that moment must not outlast it. */
async function isStillOpen(ctx: DbContext, id: string, session: string): Promise<boolean> {
  await lockOperator(ctx, id)
  const open = await ctx.db
    .selectFrom("operator_sessions")
    .select("id")
    .where("id", "=", session)
    .where("operator_id", "=", id)
    .where("ended_at", "is", null)
    .executeTakeFirst()
  return open !== undefined
}
