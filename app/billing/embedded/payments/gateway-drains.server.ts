import { type GatewayDrain, type GatewayDrains, isAnyOffered } from "~/billing/payments/gateway-drains"
import type { Instant } from "~/domain/calendar"
import { type GatewayId, gatewayIds } from "~/domain/payments/gateway-id"
import { type DbContext, guarded, inTransaction } from "../db/transaction.server"

export function gatewayDrainsOf(ctx: DbContext): GatewayDrains {
  return guarded<GatewayDrains>(ctx, { list: gatewayDrains, drain, offer })
}

/** The gateways that no operator has drained. */
export async function gatewaysNotDrained(ctx: DbContext): Promise<readonly GatewayId[]> {
  const drained = await drainedIn(ctx)
  return gatewayIds.filter((id) => !drained.has(id))
}

async function drainedIn(ctx: DbContext): Promise<ReadonlySet<GatewayId>> {
  return new Set((await gatewayDrains(ctx)).map(({ gateway }) => gateway))
}

export async function gatewayDrains({ db }: DbContext): Promise<readonly GatewayDrain[]> {
  return db.selectFrom("gateway_drains").select(["gateway", "since"]).orderBy("since").execute()
}

async function drain(
  ctx: DbContext,
  gateway: GatewayId,
  { at, offered }: { at: Instant; offered: readonly GatewayId[] },
): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    await lockDrains(tx)
    const drains = await gatewayDrains(tx)
    if (drains.some((it) => it.gateway === gateway)) return true
    if (!isAnyOffered(offered, [...drains, { gateway, since: at }])) return false
    await tx.db.insertInto("gateway_drains").values({ gateway, since: at }).execute()
    return true
  })
}

/** Of two operators who drain the last two gateways the second waits, and finds one remaining. The row is locked until the end. */
async function lockDrains({ db }: DbContext): Promise<void> {
  await db
    .insertInto("cursors")
    .values({ name: "gateway-drains", place: "" })
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet((row) => ({ place: row.ref("cursors.place") })),
    )
    .execute()
}

async function offer({ db }: DbContext, gateway: GatewayId): Promise<void> {
  await db.deleteFrom("gateway_drains").where("gateway", "=", gateway).execute()
}
