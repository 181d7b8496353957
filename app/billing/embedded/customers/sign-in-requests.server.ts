import type { ExpressionBuilder } from "kysely"
import type { NewSignInRequest, SignInRequest, SignInRequests } from "~/billing/customers/sign-in-requests"
import type { Instant } from "~/domain/calendar"
import { normalizeEmail } from "~/domain/customers/email"
import { CODE_TRIES, REPEAT_PERIOD } from "~/domain/customers/sign-in-request"
import { BY_OPERATOR } from "~/domain/shop/mail"
import type { Tables } from "../db/schema/schema"
import { type DbContext, guarded, inTransaction } from "../db/transaction.server"
import { enqueueMail } from "../mail/enqueue-mail.server"

/** Creates the port of sign-ins by mail on the embedded database. */
export function signInRequestsOf(ctx: DbContext): SignInRequests {
  return guarded<SignInRequests>(ctx, { create, find, countCodeTry, end, use, deleteRequests })
}

async function create(ctx: DbContext, request: NewSignInRequest): Promise<void> {
  const { id, email, locale, sessionId, isByOperator = false, at } = request
  const email_key = normalizeEmail(email)
  await inTransaction(ctx, async (tx) => {
    await tx.db
      .updateTable("sign_in_requests")
      .set({ ended_at: at })
      .where("email_key", "=", email_key)
      .where("session_id", "=", sessionId)
      .where("ended_at", "is", null)
      .execute()
    await tx.db
      .insertInto("sign_in_requests")
      .values({
        id,
        email_key,
        session_id: sessionId,
        created_at: at,
        tries: 0,
        ended_at: null,
        used_by: null,
      })
      .execute()
    const message = { name: "sign-in", onceKey: `sign-in ${id}`, requestId: id } as const
    const detail = isByOperator ? BY_OPERATOR : null
    await enqueueMail(tx, { ...message, email: email.trim(), locale, detail, at })
  })
}

type Visit = Parameters<SignInRequests["find"]>[1]

async function find({ db }: DbContext, id: string, visit: Visit): Promise<SignInRequest | null> {
  const row = await db
    .selectFrom("sign_in_requests")
    .select(["email_key as email", "tries"])
    .where("id", "=", id)
    .where("created_at", ">", visit.since)
    .where((request) => request.or([isOpen(request), isRepeated(request, visit)]))
    .executeTakeFirst()
  return row ?? null
}

/** The try is counted before the code is compared, so that concurrent guesses have no more tries than others. */
async function countCodeTry({ db }: DbContext, id: string, visit: Visit): Promise<SignInRequest | null> {
  const row = await db
    .updateTable("sign_in_requests")
    .set((request) => ({ tries: request("tries", "+", 1) }))
    .where("id", "=", id)
    .where("session_id", "=", visit.sessionId)
    .where("created_at", ">", visit.since)
    .where((request) =>
      request.or([
        request.and([request("tries", "<", CODE_TRIES), isOpen(request)]),
        isRepeated(request, visit),
      ]),
    )
    .returning(["email_key as email", "tries"])
    .executeTakeFirst()
  return row ?? null
}

type Row = ExpressionBuilder<Tables, "sign_in_requests">

/** Of two requests of a session that were made at the same moment, and ended neither, the newer one is open. */
function isOpen(row: Row) {
  const newer = row
    .selectFrom("sign_in_requests as newer")
    .select("newer.id")
    .whereRef("newer.email_key", "=", "sign_in_requests.email_key")
    .whereRef("newer.session_id", "=", "sign_in_requests.session_id")
    .where("newer.ended_at", "is", null)
    .where((other) =>
      other.or([
        other("newer.created_at", ">", other.ref("sign_in_requests.created_at")),
        other.and([
          other("newer.created_at", "=", other.ref("sign_in_requests.created_at")),
          other("newer.id", ">", other.ref("sign_in_requests.id")),
        ]),
      ]),
    )
  return row.and([row("ended_at", "is", null), row.not(row.exists(newer))])
}

/** A button pressed twice: the session has used the request a moment ago. */
function isRepeated(row: Row, { sessionId, at }: Pick<Visit, "sessionId" | "at">) {
  return row.and([row("used_by", "=", sessionId), row("ended_at", ">", at - REPEAT_PERIOD)])
}

async function end({ db }: DbContext, id: string, at: Instant): Promise<void> {
  await db
    .updateTable("sign_in_requests")
    .set({ ended_at: at })
    .where("id", "=", id)
    .where("ended_at", "is", null)
    .execute()
}

async function use(
  ctx: DbContext,
  id: string,
  { customerId, sessionId, at }: Parameters<SignInRequests["use"]>[1],
): Promise<boolean> {
  return inTransaction(ctx, async ({ db }) => {
    const used = await db
      .updateTable("sign_in_requests")
      .set({ ended_at: at, used_by: sessionId })
      .where("id", "=", id)
      .where(isOpen)
      .returning(["email_key", "session_id"])
      .executeTakeFirst()
    if (!used) return isUsedBy(db, id, { sessionId, at })
    // An older one that was made at the same moment would be open now.
    await db
      .updateTable("sign_in_requests")
      .set({ ended_at: at })
      .where("email_key", "=", used.email_key)
      .where("session_id", "=", used.session_id)
      .where("ended_at", "is", null)
      .execute()
    await db.updateTable("clients").set({ email_proven_at: at }).where("id", "=", customerId).execute()
    return true
  })
}

async function isUsedBy(
  db: DbContext["db"],
  id: string,
  use: Pick<Visit, "sessionId" | "at">,
): Promise<boolean> {
  const row = await db
    .selectFrom("sign_in_requests")
    .select("id")
    .where("id", "=", id)
    .where((request) => isRepeated(request, use))
    .executeTakeFirst()
  return row !== undefined
}

async function deleteRequests({ db }: DbContext, before: Instant): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("sign_in_requests")
    .where("created_at", "<", before)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
