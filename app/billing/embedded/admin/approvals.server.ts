import { z } from "zod"
import type {
  Approval,
  ApprovalDecision,
  ApprovalRepository,
  NewApproval,
} from "~/billing/operators/approvals"
import type { Instant } from "~/domain/calendar"
import { currencies, money } from "~/domain/money/money"
import type { ApprovalRow } from "../db/schema/operator-rows"
import { type DbContext, guarded } from "../db/transaction.server"

/** Requests that wait for a second operator, in the embedded database. */
export function approvalsOf(ctx: DbContext): ApprovalRepository {
  return guarded<ApprovalRepository>(ctx, {
    add,
    find,
    ofOrder,
    ofCustomer,
    open: openApprovals,
    decide,
    finish,
  })
}

async function add(
  { db }: DbContext,
  { id, action, orderId, customerId, amount, ...approval }: NewApproval,
): Promise<void> {
  await db
    .insertInto("approvals")
    .values({
      id,
      action,
      order_id: orderId,
      client_id: customerId,
      amount: amount.minor,
      currency: amount.currency,
      details: JSON.stringify(approval.details),
      reason: approval.reason,
      operator_id: approval.operatorId,
      operator: approval.operator,
      at: approval.at,
      expires_at: approval.expiresAt,
      decision: null,
      decided_by: null,
      decided_at: null,
      result: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function find({ db }: DbContext, id: string): Promise<Approval | null> {
  const row = await db.selectFrom("approvals").selectAll().where("id", "=", id).executeTakeFirst()
  return row ? approvalOf(row) : null
}

async function ofOrder({ db }: DbContext, orderId: string): Promise<readonly Approval[]> {
  const rows = await db
    .selectFrom("approvals")
    .selectAll()
    .where("order_id", "=", orderId)
    .orderBy("at")
    .execute()
  return rows.map(approvalOf)
}

async function ofCustomer({ db }: DbContext, customerId: string): Promise<readonly Approval[]> {
  const rows = await db
    .selectFrom("approvals")
    .selectAll()
    .where("client_id", "=", customerId)
    .orderBy("at")
    .execute()
  return rows.map(approvalOf)
}

/** One that was confirmed and not carried out stays open: nobody knows whether money has moved. */
export async function openApprovals(
  { db }: DbContext,
  now: Instant,
  limit: number,
): Promise<readonly Approval[]> {
  const rows = await db
    .selectFrom("approvals")
    .selectAll()
    .where("result", "is", null)
    .where((row) => row.or([row("decision", "=", "confirmed"), row("expires_at", ">", now)]))
    .orderBy("at")
    .limit(limit)
    .execute()
  return rows.map(approvalOf)
}

async function decide({ db }: DbContext, { id, decision, operator, at }: ApprovalDecision): Promise<boolean> {
  const decided = await db
    .updateTable("approvals")
    .set({
      decision,
      decided_by: operator,
      decided_at: at,
      result: decision === "refused" ? "refused" : null,
    })
    .where("id", "=", id)
    .where("result", "is", null)
    .where("decision", "is", null)
    .where("expires_at", ">", at)
    .returning("id")
    .executeTakeFirst()
  return decided !== undefined
}

async function finish({ db }: DbContext, id: string, result: string): Promise<void> {
  await db.updateTable("approvals").set({ result }).where("id", "=", id).where("result", "is", null).execute()
}

const StoredMoney = z.object({ minor: z.int(), currency: z.enum(currencies) })

const Details = z.object({
  endsService: z.boolean(),
  force: z.boolean(),
  throughGateway: z.boolean().default(false),
  toCredit: z.boolean().default(false),
  address: z.string().nullable().default(null),
  unmatched: z.object({ id: z.string(), expected: StoredMoney.nullable() }).optional(),
})

function approvalOf({ amount, currency, details, ...row }: ApprovalRow): Approval {
  return {
    id: row.id,
    action: row.action,
    orderId: row.order_id,
    customerId: row.client_id,
    amount: money(amount, currency),
    details: Details.parse(JSON.parse(details)),
    reason: row.reason,
    operatorId: row.operator_id,
    operator: row.operator,
    at: row.at,
    expiresAt: row.expires_at,
    decision: row.decision,
    decidedBy: row.decided_by,
    decidedAt: row.decided_at,
    result: row.result,
  }
}
