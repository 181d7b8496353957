import type { DbContext } from "~/billing/embedded/db/transaction.server"
import { type Instant, MINUTE, SECOND } from "~/domain/calendar"
import type { MirrorContext } from "./context.server"

/**
 * The longest that a call can run there, also one whose caller has died: after it nothing that was begun before is at
 * work any more, and what cannot be found is not there.
 */
export const MAX_EXTERNAL_CALL = 2 * MINUTE
/** A process that is at an order says so again and again; one that has not for this long has died. */
const HELD = 6 * SECOND
const HOLDS_EVERY = 2 * SECOND
/** Between two looks for an order that may still be on its way. */
export const LOOKUP_INTERVAL = 2 * SECOND

export type Claim = {
  readonly orderId: string
  /** Which process is at it. */
  readonly by: string
  /** How often it was begun before. */
  readonly tries: number
  /** Until when a call of before may be at work there. */
  readonly callsUntil: Instant
}

/**
 * Takes an order, to look for it and, when no call can be at work there any more, to make it; null while somebody else
 * is at it. A claim of before there were holds is respected until its end.
 */
export async function claim(
  { ctx: { db, newId }, now }: MirrorContext,
  orderId: string,
): Promise<Claim | null> {
  const at = now()
  const hold = { held_until: at + HELD, held_by: newId() }
  const names = { their_order_id: null, their_invoice_id: null, link: null }
  const row = await db
    .insertInto("external_orders")
    .values({
      order_id: orderId,
      state: "wanted",
      ...names,
      ...hold,
      tries: 1,
      claimed_until: 0,
      poll_after: 0,
    })
    .onConflict((conflict) =>
      conflict
        .column("order_id")
        .doUpdateSet((it) => ({ ...hold, tries: it("external_orders.tries", "+", 1) }))
        .where("external_orders.state", "=", "wanted")
        .where((it) =>
          it.or([
            it("external_orders.held_until", "<=", at),
            // Held by a clock that has been set right since.
            it("external_orders.held_until", ">", at + HELD + LOOKUP_INTERVAL),
          ]),
        )
        .where((it) =>
          it.or([
            it("external_orders.held_by", "is not", null),
            it("external_orders.claimed_until", "<=", at),
          ]),
        ),
    )
    .returning(["tries", "claimed_until"])
    .executeTakeFirst()
  return row ? { orderId, by: hold.held_by, tries: row.tries - 1, callsUntil: row.claimed_until } : null
}

/** Rows that are still this claim's: a process that was thought dead must not write over what another has found. */
export function local({ db }: DbContext, { orderId, by }: Claim) {
  return db
    .updateTable("external_orders")
    .where("order_id", "=", orderId)
    .where("held_by", "=", by)
    .where("state", "=", "wanted")
}

/** Keeps a claim for as long as the work takes. */
export async function holding<T>(mirror: MirrorContext, claimed: Claim, work: () => Promise<T>): Promise<T> {
  const { ctx, now, log } = mirror
  const hold = () =>
    local(ctx, claimed)
      .set({ held_until: now() + HELD })
      .execute()
  const timer = setInterval(() => {
    hold().catch((error: unknown) => log.warn({ err: error }, "order claim not renewed"))
  }, HOLDS_EVERY)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

/** Another may go on. `again`: after how long; a claim that cannot be given back ends by itself. */
export async function release(
  { ctx, now, log }: MirrorContext,
  claimed: Claim,
  { again, called }: { again: number; called: "ended" | "unknown" },
): Promise<void> {
  await local(ctx, claimed)
    .set({ held_until: now() + again, ...(called === "ended" && { claimed_until: 0 }) })
    .execute()
    .catch((error: unknown) => log.warn({ err: error }, "order claim not released"))
}
