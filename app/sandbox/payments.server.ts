import { randomBytes } from "node:crypto"
import type { DatabaseSync } from "node:sqlite"
import { z } from "zod"
import type { Instant } from "~/domain/calendar"
import { currencies, type Money, money } from "~/domain/money/money"
import {
  type ApiRefund,
  type PaymentDetails,
  type SandboxPayment,
  type SandboxStatus,
  sandboxStatuses,
} from "./payment"

/**
 * `key`: idempotency key. `rawBody`: identifies the request; reusing a key with another one is a conflict. `id`: set by
 * protocols that have their own id format.
 */
type NewPayment = { protocol: string; id?: string; key: string; rawBody: string; details: PaymentDetails }
type Opened = { kind: "new" | "repeat"; payment: SandboxPayment } | { kind: "conflict" }

type Decision = { from: SandboxStatus; status: SandboxStatus; received: Money }

export type Payments = {
  open(opening: NewPayment): Opened
  /** Finds a payment by its id. */
  find(protocol: string, id: string): SandboxPayment | null
  /** Finds a payment by its idempotency key. */
  findByKey(protocol: string, key: string): SandboxPayment | null
  /** Lists all payments of a protocol, newest first. */
  list(protocol: string): readonly SandboxPayment[]
  /** Lists the payments with a reference of the shop, oldest first. */
  withReference(protocol: string, reference: string): readonly SandboxPayment[]
  /** Sets the next status of a payment (optimistic locking). Null: it is no longer in the status `from`. */
  decide(id: string, decision: Decision): SandboxPayment | null
  /** Lets a pending or partial payment expire before an instant. Null: it has been decided, or has expired already. */
  expire(id: string, before: Instant): SandboxPayment | null
  /** Adds to a partial payment (optimistic locking). `before`: the amount received so far. Null: it has changed. */
  topUp(id: string, status: SandboxStatus, sums: { before: Money; received: Money }): SandboxPayment | null
  /** Sets the total refund (optimistic locking). `before`: the total so far. Null: it has changed. */
  refund(id: string, refunded: Money, before: Money): SandboxPayment | null
  /** Notes a refund that the shop has asked for by the API. */
  noteRefund(payment: SandboxPayment, refund: ApiRefund): SandboxPayment
}

/** Creates the repository of sandbox payments, which are stored in the database and survive a restart. */
export function paymentsIn(database: DatabaseSync): Payments {
  const insert = database.prepare(
    `INSERT INTO payments (id, protocol, key, asked, facts, status, received) VALUES (?, ?, ?, ?, ?, 'pending', 0)
     ON CONFLICT (protocol, key) DO NOTHING`,
  )
  const byKey = database.prepare("SELECT * FROM payments WHERE protocol = ? AND key = ?")
  const byId = database.prepare("SELECT * FROM payments WHERE protocol = ? AND id = ?")
  const byReference = database.prepare(
    "SELECT * FROM payments WHERE protocol = ? AND facts ->> '$.reference' = ? ORDER BY rowid",
  )
  const byProtocol = database.prepare("SELECT * FROM payments WHERE protocol = ? ORDER BY rowid DESC")
  const decided = database.prepare(
    `UPDATE payments SET status = ?, received = ?, transaction_id = coalesce(transaction_id, ?)
     WHERE id = ? AND status = ? RETURNING *`,
  )
  const expiring = database.prepare(
    `UPDATE payments SET facts = json_set(facts, '$.expiresAt', ?1)
     WHERE id = ?2 AND status IN ('pending', 'partial') AND facts ->> '$.expiresAt' > ?1 RETURNING *`,
  )
  const toppedUp = database.prepare(
    `UPDATE payments SET status = ?, received = ?, transaction_id = ?
     WHERE id = ? AND status = 'partial' AND received = ? RETURNING *`,
  )
  const refunding = database.prepare(
    "UPDATE payments SET refunded = ? WHERE id = ? AND refunded = ? RETURNING *",
  )
  const noting = database.prepare(
    "UPDATE payments SET facts = json_set(facts, '$.refunds', json(?)) WHERE id = ? RETURNING *",
  )
  return {
    noteRefund({ id, details }, refund) {
      const refunds = JSON.stringify([...(details.refunds ?? []), refund])
      return paymentOf(Row.parse(noting.get(refunds, id)))
    },
    refund(id, refunded, before) {
      const row = refunding.get(refunded.minor, id, before.minor)
      return row ? paymentOf(Row.parse(row)) : null
    },
    open({ protocol, id = newName("pay"), key, rawBody: requested, details }) {
      const isNew = insert.run(id, protocol, key, requested, JSON.stringify(details)).changes === 1
      const row = Row.parse(byKey.get(protocol, key))
      if (row.asked !== requested) return { kind: "conflict" }
      return { kind: isNew ? "new" : "repeat", payment: paymentOf(row) }
    },
    find(protocol, id) {
      const row = byId.get(protocol, id)
      return row ? paymentOf(Row.parse(row)) : null
    },
    findByKey(protocol, key) {
      const row = byKey.get(protocol, key)
      return row ? paymentOf(Row.parse(row)) : null
    },
    withReference: (protocol, reference) =>
      byReference.all(protocol, reference).map((row) => paymentOf(Row.parse(row))),
    list: (protocol) => byProtocol.all(protocol).map((row) => paymentOf(Row.parse(row))),
    decide(id, { from, status, received }) {
      const transactionId = received.minor > 0 ? newName("tx") : null
      const row = decided.get(status, received.minor, transactionId, id, from)
      return row ? paymentOf(Row.parse(row)) : null
    },
    expire(id, before) {
      const row = expiring.get(before - 1, id)
      return row ? paymentOf(Row.parse(row)) : null
    },
    topUp(id, status, { before, received }) {
      const row = toppedUp.get(status, received.minor, newName("tx"), id, before.minor)
      return row ? paymentOf(Row.parse(row)) : null
    },
  }
}

/** Creates an id with 128 random bits. It must not be guessable: the id alone gives access to the payment page. */
export function newName(kind: "pay" | "tx" | "msg"): string {
  return `${kind}_${randomBytes(16).toString("hex")}`
}

const Row = z.object({
  id: z.string(),
  protocol: z.string(),
  asked: z.string(),
  facts: z.string(),
  status: z.enum(sandboxStatuses),
  received: z.int(),
  refunded: z.int(),
  transaction_id: z.string().nullable(),
})

const StoredDetails = z.object({
  amount: z.object({ minor: z.int(), currency: z.enum(currencies) }),
  reference: z.string(),
  returnUrl: z.string(),
  cancelUrl: z.string(),
  callbackUrl: z.string(),
  expiresAt: z.int(),
  locale: z.string().nullable(),
  metadata: z.record(z.string(), z.string()).optional(),
  description: z.string().optional(),
  methods: z.array(z.string()).optional(),
  openedAt: z.int().optional(),
  refunds: z.array(z.object({ key: z.string(), text: z.string(), minor: z.int() })).optional(),
})

function paymentOf({
  id,
  protocol,
  facts: details,
  status,
  received,
  refunded,
  transaction_id,
}: z.output<typeof Row>) {
  const requested = StoredDetails.parse(JSON.parse(details))
  const payment: SandboxPayment = {
    id,
    protocol,
    details: requested,
    status,
    received: money(received, requested.amount.currency),
    refunded: money(refunded, requested.amount.currency),
    transactionId: transaction_id,
  }
  return payment
}
