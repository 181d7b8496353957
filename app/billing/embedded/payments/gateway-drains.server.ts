import { type GatewayDrain, type GatewayDrains, isAnyOffered } from "~/billing/gateway-drains"
import type { Instant } from "~/domain/calendar"
import { type GatewayId, gatewayIds } from "~/domain/gateway-id"
import { type DbContext, guarded } from "../db/transaction.server"

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

/** Written before it is checked: of two operators who drain the last two gateways, none may see one remaining. */
async function drain(
  ctx: DbContext,
  gateway: GatewayId,
  { at, offered }: { at: Instant; offered: readonly GatewayId[] },
): Promise<boolean> {
  await ctx.db
    .insertInto("gateway_drains")
    .values({ gateway, since: at })
    .onConflict((conflict) => conflict.column("gateway").doNothing())
    .execute()
  if (isAnyOffered(offered, await gatewayDrains(ctx))) return true
  await offer(ctx, gateway)
  return false
}

async function offer({ db }: DbContext, gateway: GatewayId): Promise<void> {
  await db.deleteFrom("gateway_drains").where("gateway", "=", gateway).execute()
}
