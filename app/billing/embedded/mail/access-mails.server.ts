import type { ChangedBy } from "~/billing/operators/operators"
import type { Instant } from "~/domain/calendar"
import type { OperatorRole } from "~/domain/operators/operator"
import type { DbContext } from "../db/transaction.server"
import { enqueueMail } from "./enqueue-mail.server"

export type ChangedAccess = {
  readonly change: "added" | "reset" | "disabled"
  readonly id: string
  readonly email: string
  readonly role: OperatorRole
  readonly at: Instant
}

/**
 * Enqueues a message to the other owners about a change of an owner's access, the one whose access it is included, in the transaction
 * that makes it: one owner could otherwise confirm by an account of their own what they have asked for. Without another owner it goes to
 * the operator's address, but for what the admin CLI does, which adds the first operator.
 */
export async function mailOwners(ctx: DbContext, changed: ChangedAccess, by: ChangedBy): Promise<void> {
  const { change, id, email, role, at } = changed
  if (role !== "owner") return
  const name = "operator-access"
  const detail = `${change} ${email} ${by.operator}`
  const mail = { name, detail, at } as const
  const others = await othersThan(ctx, by, changed)
  for (const it of others)
    await enqueueMail(ctx, { ...mail, onceKey: `${name} ${id} ${at} ${change} ${it.id}`, email: it.email })
  if (others.length === 0 && by.operatorId !== null)
    await enqueueMail(ctx, { ...mail, onceKey: `${name} ${id} ${at} ${change}` })
}

type Owner = { readonly id: string; readonly email: string }

/** Who has been added has a link, and learns of it by that. */
async function othersThan({ db }: DbContext, by: ChangedBy, { id, email, change }: ChangedAccess) {
  const owners: readonly Owner[] = await db
    .selectFrom("operators")
    .select(["id", "email"])
    .where("role", "=", "owner")
    .where("disabled_at", "is", null)
    .orderBy("email_key")
    .execute()
  const others = owners.filter((it) => it.id !== by.operatorId && it.id !== id)
  return change === "added" ? others : [...others, { id, email }]
}
