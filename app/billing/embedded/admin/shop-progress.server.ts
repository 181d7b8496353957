import type { ShopProgress } from "~/billing/console-overview"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { DbContext } from "../db/transaction.server"

/** See `ConsoleOverview.progress`. Each query stops at its first row. */
export async function progress(ctx: DbContext, gateways: readonly GatewayId[]): Promise<ShopProgress> {
  const [reported, isPaid, isProvisioned, isMailSent] = await Promise.all([
    Promise.all(gateways.map(async (id) => ((await hasReported(ctx, id)) ? [id] : []))),
    isAnyPaid(ctx),
    isAnyProvisioned(ctx),
    isAnyMailSent(ctx),
  ])
  return { reported: reported.flat(), isPaid, isProvisioned, isMailSent }
}

async function hasReported({ db }: DbContext, gateway: GatewayId): Promise<boolean> {
  const row = await db
    .selectFrom("gateway_events")
    .select("event_key")
    .where("gateway", "=", gateway)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

async function isAnyPaid({ db }: DbContext): Promise<boolean> {
  const row = await db
    .selectFrom("invoices")
    .select("id")
    .where("paid_at", "is not", null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Orders become active once their service is provisioned. */
async function isAnyProvisioned({ db }: DbContext): Promise<boolean> {
  const row = await db
    .selectFrom("orders")
    .select("id")
    .where("status", "=", "active")
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The newest messages: one of them was sent, unless mail fails. */
const MAILS = 50

async function isAnyMailSent({ db }: DbContext): Promise<boolean> {
  const rows = await db
    .selectFrom("mails")
    .select("state")
    .orderBy("created_at", "desc")
    .limit(MAILS)
    .execute()
  return rows.some(({ state }) => state === "sent")
}
