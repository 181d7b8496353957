import type { DbContext } from "~/billing/embedded/db/transaction.server"
import { type Instant, MINUTE, SECOND } from "~/domain/calendar"
import type { MirrorContext } from "./context.server"

/**
 * Maximum duration of an external call in milliseconds, also if its caller has died. After it no earlier call is
 * running, and an order that cannot be found does not exist.
 */
export const MAX_EXTERNAL_CALL = 2 * MINUTE
/** Lease of a claim in milliseconds. A process that does not renew it every `HOLDS_EVERY` has died. */
const HELD = 6 * SECOND
const HOLDS_EVERY = 2 * SECOND
/** Interval between two lookups of an order that may still be in creation, in milliseconds. */
export const LOOKUP_INTERVAL = 2 * SECOND

export type Claim = {
  readonly orderId: string
  /** Id of the claim, stored as `held_by`. */
  readonly by: string
  /** Number of earlier tries. */
  readonly tries: number
  /** Until when a call of an earlier try may be running externally. */
  readonly callsUntil: Instant
}

/**
 * Claims an order for lookup and, once no earlier call can be running, for creation. Null while another claim's lease
 * is valid. A claim from before leases existed (`held_by` is null) is valid until `claimed_until`.
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
            // A lease this far ahead was set by a wrong clock; treat it as expired.
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

/** Updates the row only while this claim holds it: a process with an expired lease must not overwrite a newer claim. */
export function local({ db }: DbContext, { orderId, by }: Claim) {
  return db
    .updateTable("external_orders")
    .where("order_id", "=", orderId)
    .where("held_by", "=", by)
    .where("state", "=", "wanted")
}

/** Renews a claim's lease while `work` runs. */
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

/** Releases a claim after `again` milliseconds. If that fails, the lease expires. */
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
