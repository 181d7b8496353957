import { BillingError } from "~/billing/billing"
import {
  COUNTED_AT_MOST,
  type OnePriceReturn,
  type PriceChange,
  type PriceMove,
  type PriceMoveCount,
  type PriceReturn,
  type RenewalGroup,
} from "~/billing/services/service-admin"
import type { Instant } from "~/domain/calendar"
import { type Money, money } from "~/domain/money/money"
import { movedPrice, PRICE_NOTICE } from "~/domain/services/renewal"
import { productsPricedAt } from "../catalogue/catalogue.server"
import { WriteConflictError } from "../db/engines/database-errors.server"
import type { ServiceRow } from "../db/schema/order-rows"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { isSentBy } from "../mail/enqueue-mail.server"
import { withTaxFor } from "../tax/price-with-tax.server"
import { type Announcement, notifyOfPrice } from "./announced-price.server"
import { appendServiceEvent } from "./service-terms.server"
import { serviceOf } from "./services.server"

/** Services per transaction: with SQLite a transaction blocks all other writers. */
const BATCH = 50

/** How many services a move would announce another price for. */
export async function countPriceMove(
  ctx: DbContext,
  move: PriceMove,
): Promise<PriceMoveCount & { readonly isCut: boolean }> {
  let read = 0
  let isCut = false
  const count = await inBatches(async (after) => {
    isCut = read >= COUNTED_AT_MOST
    if (isCut) return { services: 0, unpriced: 0, last: null }
    read += BATCH
    return countBatch(ctx, move, after)
  })
  return { ...count, isCut }
}

async function countBatch(ctx: DbContext, move: PriceMove, after: string): Promise<Batch> {
  const rows = await renewed(ctx, move, after)
  const prices = await Promise.all(rows.map((row) => newPrice(ctx, row, move)))
  const { from } = move
  return {
    services: rows.filter((row, at) => prices[at] && !isAnnounced(row, { price: prices[at], from })).length,
    unpriced: prices.filter((it) => it === null).length,
    last: rows.at(-1)?.id ?? null,
  }
}

/** Announces another price of one service: see `ServiceAdmin.movePrice`. */
export async function movePrice(
  ctx: DbContext,
  serviceId: string,
  { at, ...change }: PriceChange,
): Promise<boolean> {
  if (!isSentBy(ctx.mail, "price-announced"))
    throw new BillingError("refused", "Another price needs a notice by mail, and the shop sends none")
  const move = { ...change, services: { serviceId } }
  const { services } = await inTransaction(ctx, (tx) => moveBatch(tx, move, { after: "", at }))
  return services === 1
}

/** `last`: id of its last service; null if it is empty. */
export type Batch = PriceMoveCount & { readonly last: string | null }

async function inBatches(batchAfter: (last: string) => Promise<Batch>): Promise<PriceMoveCount> {
  const sum = { services: 0, unpriced: 0 }
  for (let after: string | null = ""; after !== null; ) {
    const { last, services, unpriced }: Batch = await batchAfter(after)
    sum.services += services
    sum.unpriced += unpriced
    after = last
  }
  return sum
}

export type BatchStart = { readonly after: string; readonly at: Instant }

/** Announces the price to the services behind a place, at most a batch of them, in the current transaction. */
export async function moveBatch(tx: DbContext, move: PriceMove, { after, at }: BatchStart): Promise<Batch> {
  const { from, reason } = move
  if (from < at + PRICE_NOTICE)
    throw new BillingError("refused", "Another price needs a notice of at least 30 days")
  const rows = await renewed(tx, move, after)
  const batch = { services: 0, unpriced: 0, last: rows.at(-1)?.id ?? null }
  for (const row of rows) {
    const price = await newPrice(tx, row, move)
    if (price === null) batch.unpriced++
    else if (!isAnnounced(row, { price, from })) {
      await announce(tx, row, { price, from, reason, at })
      batch.services++
    }
  }
  return batch
}

function isAnnounced(row: ServiceRow, { price, from }: Pick<Announcement, "price" | "from">): boolean {
  return row.announced_price === price.minor && row.announced_from === from
}

async function announce(tx: DbContext, row: ServiceRow, announcement: Announcement): Promise<void> {
  const { price, from, at } = announcement
  const { id, announced_price, announced_from } = row
  const isInForce = announced_from !== null && announced_from <= at
  const { numUpdatedRows } = await tx.db
    .updateTable("services")
    .set({
      announced_price: price.minor,
      announced_from: from,
      // The price that was announced before is the service's own one by now.
      ...(isInForce && { renewal_price: announced_price }),
    })
    .where("id", "=", id)
    .where("announced_price", announced_price === null ? "is" : "=", announced_price)
    .where("announced_from", announced_from === null ? "is" : "=", announced_from)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new WriteConflictError(`Price of service ${id}`)
  await notifyOfPrice(tx, row, announcement)
}

/** Takes the announced price of one service back: see `ServiceAdmin.keepPrice`. */
export async function keepPrice(
  ctx: DbContext,
  serviceId: string,
  { at, ...kept }: OnePriceReturn,
): Promise<boolean> {
  const one = { ...kept, services: { serviceId } }
  const { services } = await inTransaction(ctx, (tx) => keepBatch(tx, one, { after: "", at }))
  return services === 1
}

/** Takes the announced price of the services behind a place back, of at most a batch of them, in the current transaction. */
export async function keepBatch(tx: DbContext, kept: PriceReturn, { after, at }: BatchStart): Promise<Batch> {
  const rows = await meant(tx, kept, after)
  const batch = { services: 0, unpriced: 0, last: rows.at(-1)?.id ?? null }
  for (const { id } of rows) {
    const { numUpdatedRows } = await tx.db
      .updateTable("services")
      .set({ announced_price: null, announced_from: null })
      .where("id", "=", id)
      .where("announced_from", "=", kept.from)
      .where("announced_from", ">", at)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) continue
    await appendServiceEvent(tx, id, { kind: "price-kept", at, detail: { reason: kept.reason } })
    batch.services++
  }
  return batch
}

/**
 * Running services that an order of a plan has created, with the plan that follows once terms of it are paid: price and cycle of the
 * service are that plan's then. A line costs a credit.
 */
function running({ db }: DbContext) {
  return db
    .selectFrom("services")
    .innerJoin("orders", "orders.id", "services.order_id")
    .leftJoin("next_plans", (join) =>
      join.onRef("next_plans.service_id", "=", "services.id").on("next_plans.starts_at", "is not", null),
    )
    .where("orders.kind", "=", "plan")
    .where("services.status", "in", ["Active", "Suspended"])
    .where("services.paid_until", "is not", null)
}

/** Those of a product. */
function runningOf(ctx: DbContext, productId: string) {
  return running(ctx).where(
    (row) => row.fn.coalesce("next_plans.product_id", "services.product_id"),
    "=",
    productId,
  )
}

/** A batch of the services that a move is for: those of a product that is not renewed any more cost nothing from no day on. */
function renewed(ctx: DbContext, { services, price }: PriceMove, after: string): Promise<ServiceRow[]> {
  return batchOf(ctx, { services, currency: price.currency }, after)
    .leftJoin("products", (join) =>
      join.on((row) =>
        row("products.id", "=", row.fn.coalesce("next_plans.product_id", "services.product_id")),
      ),
    )
    .where((row) =>
      row.or([row("products.renewal_price", "is", null), row("products.renewal_price", "!=", "none")]),
    )
    .execute()
}

/** A batch of the services whose announced price may be taken back. */
function meant(ctx: DbContext, kept: PriceReturn, after: string): Promise<ServiceRow[]> {
  return batchOf(ctx, kept, after).execute()
}

function batchOf(
  ctx: DbContext,
  { services, currency }: Pick<PriceReturn, "services" | "currency">,
  after: string,
) {
  const found =
    "serviceId" in services
      ? running(ctx).where("services.id", "=", services.serviceId)
      : runningOf(ctx, services.productId).where("services.cycle", "=", services.cycle)
  return found
    .selectAll("services")
    .where("services.id", ">", after)
    .where("services.currency", "=", currency)
    .orderBy("services.id")
    .limit(BATCH)
}

/** See `ServiceAdmin.renewalGroups`. */
export async function renewalGroups(
  ctx: DbContext,
  productId: string,
  at: Instant,
): Promise<readonly RenewalGroup[]> {
  const rows = await runningOf(ctx, productId)
    .select(["services.currency", "services.cycle", "services.announced_from"])
    .select((row) => row.fn.countAll<number>().as("services"))
    .groupBy(["services.currency", "services.cycle", "services.announced_from"])
    .orderBy("services.currency")
    .orderBy("services.cycle")
    .orderBy("services.announced_from")
    .execute()
  const groups = new Map<string, RenewalGroup>()
  for (const { currency, cycle, announced_from, services } of rows) {
    if (currency === null || cycle === null) continue
    // An announced price whose day has come is the service's own.
    const announcedFrom = announced_from !== null && announced_from > at ? announced_from : null
    const key = `${currency} ${cycle} ${announcedFrom}`
    const counted = (groups.get(key)?.services ?? 0) + Number(services)
    groups.set(key, { currency, cycle, announcedFrom, services: counted })
  }
  return [...groups.values()]
}

async function newPrice(
  ctx: DbContext,
  row: ServiceRow,
  { services, price, from }: PriceMove,
): Promise<Money | null> {
  const { cycle, ...service } = serviceOf(row)
  if (cycle === null) return null
  if ("serviceId" in services) return money(price.minor, service.currency)
  const product =
    (await productsPricedAt(ctx, "plan", from)).find(({ id }) => id === services.productId) ?? null
  const moved = movedPrice(price, { ...service, cycle }, product)
  const { client_id } = row
  return moved && withTaxFor(ctx, { client_id, product_id: services.productId }, { price: moved, at: from })
}
