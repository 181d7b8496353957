import type { NeedQuery } from "~/billing/console-overview"
import { byUrgency, type Need } from "~/domain/console/console-need"
import type { DbContext } from "../db/transaction.server"
import { openApprovals } from "./approvals.server"
import { type FoundNeed, LISTED } from "./needs/found-need"
import {
  chargebacks,
  negativeCredit,
  refusedRefunds,
  taxOwedBack,
  unmatchedMoney,
} from "./needs/money-needs.server"
import { notProvisioned, onHold, unknownOrders } from "./needs/order-needs.server"
import { gatewayDown, missingRates, noGateway, unknownFields } from "./needs/shop-needs.server"
import {
  callbacksRejected,
  lateSteps,
  parkedJobs,
  pausedWebhooks,
  unsentMail,
} from "./needs/work-needs.server"

/** What waits for an operator, the most urgent first: see `ConsoleOverview.needs`. */
export async function needs(ctx: DbContext, query: NeedQuery): Promise<readonly Need[]> {
  const found = (
    await Promise.all([
      noGateway(ctx, query),
      notProvisioned(ctx, query),
      refusedRefunds(ctx, query),
      chargebacks(ctx, query),
      unknownOrders(ctx, query),
      negativeCredit(ctx, query),
      taxOwedBack(ctx),
      onHold(ctx, query),
      toConfirm(ctx, query),
      unmatchedMoney(ctx),
      parkedJobs(ctx),
      unsentMail(ctx, query),
      pausedWebhooks(ctx),
      callbacksRejected(ctx, query),
      lateSteps(ctx, query),
    ])
  ).flat()
  const takers = await takersOf(ctx)
  const gateways = query.down.map(gatewayDown)
  return [...found, ...gateways, ...unknownFields(query), ...missingRates(query)]
    .map((it) => ({ ...it, takenBy: takers.get(it.key) ?? null }))
    .sort(byUrgency)
}

/** Actions of other operators that wait for a second one. */
async function toConfirm(ctx: DbContext, { now }: NeedQuery): Promise<readonly FoundNeed[]> {
  const found = await openApprovals(ctx, now, LISTED)
  return found.map(({ id, action, orderId, customerId, amount, at }) => ({
    key: `approval ${id}`,
    customerId,
    kind: "to-confirm",
    since: at,
    orderId,
    amount,
    detail: action,
    count: 1,
  }))
}

async function takersOf({ db }: DbContext): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom("taken_needs")
    .innerJoin("operators", "operators.id", "taken_needs.operator_id")
    .select(["need", "email"])
    .execute()
  return new Map(rows.map(({ need, email }) => [need, email]))
}
