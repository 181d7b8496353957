import { type RawBuilder, sql } from "kysely"
import type { Diagnostic } from "~/billing/diagnostic"
import { DAY, type Instant } from "~/domain/calendar"
import type { DbContext } from "../db/transaction.server"
import { unappliedSince } from "../payments/unapplied-reports.server"

const RECENTLY = 30 * DAY
const SHOWN = 5

/** Checks of payments, with embedded and external billing. */
export async function checkPayments(ctx: DbContext, now: Instant): Promise<readonly Diagnostic[]> {
  return [
    await reports(ctx, now),
    await listed(ctx, "refunds", {
      orders: unbookedRefunds,
      found: "have a refund at their gateway that an older version did not record",
      none: "all reported refunds recorded",
    }),
    await listed(ctx, "short payments", {
      orders: unnamedSums,
      found: 'have a partial payment without a recorded amount: run "orders resend-callback NUMBER"',
      none: "all partial amounts recorded",
    }),
  ]
}

async function reports(ctx: DbContext, now: Instant): Promise<Diagnostic> {
  const { count, newest } = await unappliedSince(ctx, { since: now - RECENTLY, limit: SHOWN })
  const what = "payment updates"
  if (count === 0) return { ok: true, check: what, message: "all applied in the last 30 days" }
  const each = newest.map(
    ({ gateway, orderId, reason, detail }) =>
      `${orderId === null ? "unknown order" : `order ${orderId}`} (${gateway}, ${reason}: ${detail})`,
  )
  const more = count > newest.length ? `; and ${count - newest.length} more` : ""
  return {
    ok: false,
    check: what,
    message: `${count} not applied in the last 30 days: ${each.join("; ")}${more}`,
  }
}

type Check = { readonly orders: RawBuilder<unknown>; readonly found: string; readonly none: string }

async function listed({ db }: DbContext, what: string, { orders, found, none }: Check): Promise<Diagnostic> {
  const { rows } = await sql<{
    order_id: string
  }>`${orders} order by order_id limit ${sql.lit(SHOWN + 1)}`.execute(db)
  if (rows.length === 0) return { ok: true, check: what, message: none }
  const named = rows.slice(0, SHOWN).map(({ order_id }) => order_id)
  const more = rows.length > SHOWN ? " and more" : ""
  return { ok: false, check: what, message: `orders ${named.join(", ")}${more} ${found}` }
}

/** Older versions had no refund amounts: they set the status but did not reduce the received amount. */
const unbookedRefunds = sql`
  select distinct order_id from payment_attempts
  where refunded = 0 and refund_left is null and received > 0 and (
    status = 'refunded' or id in (
      select attempt_id from gateway_events where gateway = 'coinbase' and event_key like '%:PARTIALLY_REFUNDED:%'
    )
  )`

/** Cryptomus: a final `wrong_amount` means that a part was paid. */
const unnamedSums = sql`
  select distinct order_id from payment_attempts
  where gateway = 'cryptomusgateway' and received = 0 and gross = 0 and id in (
    select attempt_id from gateway_events
    where gateway = 'cryptomusgateway' and event_key like '%:wrong_amount:0.00'
  )`
