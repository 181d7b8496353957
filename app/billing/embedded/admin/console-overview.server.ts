import { sql } from "kysely"
import type { ConsoleOverview } from "~/billing/console-overview"
import { DAY, type Instant } from "~/domain/calendar"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { unsettledStatuses } from "~/domain/payments/payment"
import { FAR_FUTURE } from "~/domain/payments/poll-schedule"
import { type DbContext, guarded, inTransaction } from "../db/transaction.server"
import { gatewayStats } from "../payments/gateway-stats.server"
import { rejectedCallbacks, storedCallback, storedCallbacks } from "../payments/rejected-callbacks.server"
import { needs } from "./console-needs.server"
import { endedTerms, hours } from "./hourly-sums.server"
import { progress } from "./shop-progress.server"

/** The console's first page in the embedded database. */
export function consoleOverviewOf(ctx: DbContext): ConsoleOverview {
  return guarded<ConsoleOverview>(ctx, {
    needs,
    take,
    leave,
    hours,
    endedTerms,
    waitingOrders,
    gatewayStats,
    rejectedCallbacks,
    storedCallbacks,
    storedCallback,
    progress,
  })
}

const ORDERS_COUNTED = 1_000
const TAKEN_FOR = 30 * DAY

const openStatuses = unsettledStatuses.map((status) => sql.lit(status))

/** Those that are polled no more have their next poll in the far future. */
async function waitingOrders({ db }: DbContext, gateway: GatewayId): Promise<number> {
  const rows = await db
    .selectFrom("payment_attempts")
    .select("order_id")
    // The literal condition of the partial index.
    .where("status", "in", openStatuses)
    .where("url", "is not", null)
    .where("gateway", "=", gateway)
    .where("poll_after", "<", FAR_FUTURE)
    .orderBy("poll_after")
    .limit(ORDERS_COUNTED)
    .execute()
  return new Set(rows.map(({ order_id }) => order_id)).size
}

function take(
  ctx: DbContext,
  { need, operatorId, at }: { need: string; operatorId: string; at: Instant },
): Promise<boolean> {
  return inTransaction(ctx, async ({ db }) => {
    await db
      .deleteFrom("taken_needs")
      .where("at", "<", at - TAKEN_FOR)
      .execute()
    const taken = await db
      .insertInto("taken_needs")
      .values({ need, operator_id: operatorId, at })
      .onConflict((conflict) => conflict.doNothing())
      .returning("need")
      .executeTakeFirst()
    return taken !== undefined
  })
}

async function leave({ db }: DbContext, need: string, operatorId: string): Promise<boolean> {
  const left = await db
    .deleteFrom("taken_needs")
    .where("need", "=", need)
    .where("operator_id", "=", operatorId)
    .returning("need")
    .executeTakeFirst()
  return left !== undefined
}
