import { setImmediate } from "node:timers/promises"
import type { EarlierTerms } from "~/billing/services/service-repository"
import { DAY, type Instant } from "~/domain/calendar"
import { type Product, planOf } from "~/domain/catalogue/catalogue"
import { paidStatuses } from "~/domain/orders/order-status"
import { startOfPaidTime } from "~/domain/services/term"
import { products } from "../catalogue/catalogue.server"
import type { ServiceRow } from "../db/schema/order-rows"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { extendTerm } from "./service-terms.server"

/** Services per query and transaction: few, since a SQLite query blocks the event loop. */
const BATCH = 250

/**
 * Starts the terms of services from before terms: see `ServiceRepository.startEarlierTerms`. Goes through all services by
 * their id, so that it needs no index of its own and no mark on services that have no end.
 */
export async function startEarlierTerms(ctx: DbContext, at: Instant): Promise<EarlierTerms> {
  if (!ctx.terms) return { started: 0, unknown: 0 }
  const plans = new Map((await products(ctx, "plan")).map((product) => [product.id, product]))
  let [started, unknown] = [0, 0]
  for (let last: string | null = ""; last !== null; ) {
    const rows: ServiceRow[] = await servicesAfter(ctx, last)
    const earlier = rows.filter(isWithoutTerm)
    unknown += earlier.filter(({ product_id }) => !plans.has(product_id)).length
    const recurring = earlier.filter(({ product_id }) => plans.get(product_id)?.payType === "recurring")
    if (recurring.length > 0)
      started += await inTransaction(ctx, (tx) => startAll(tx, recurring, { plans, at }))
    last = rows.length < BATCH ? null : (rows.at(-1)?.id ?? null)
    await setImmediate()
  }
  return { started, unknown }
}

function servicesAfter({ db }: DbContext, id: string): Promise<ServiceRow[]> {
  return db.selectFrom("services").selectAll().where("id", ">", id).orderBy("id").limit(BATCH).execute()
}

/**
 * A reseller's account has no end, and neither has a service that was not paid or has ended. Renewal prices came with the terms:
 * a service that has one and no term was paid once, whatever its product has become.
 */
function isWithoutTerm({ kind, term_anchor, renewal_price, status }: ServiceRow): boolean {
  const isEarlier = term_anchor === null && renewal_price === null
  return kind === "plan" && isEarlier && (status === "Active" || status === "Pending")
}

type Sold = { readonly plans: ReadonlyMap<string, Product>; readonly at: Instant }

async function startAll(
  tx: DbContext,
  services: readonly ServiceRow[],
  { plans, at }: Sold,
): Promise<number> {
  const starts = await startsOf(
    tx,
    services.map(({ order_id }) => order_id),
  )
  let started = 0
  for (const service of services) {
    const anchor = starts.get(service.order_id)
    const cycle = service.cycle ?? cycleOf(service, plans.get(service.product_id))
    if (anchor !== undefined && cycle && (await start(tx, { id: service.id, cycle }, { anchor, at })))
      started++
  }
  return started
}

/** The cycle that its plan is sold in, for a service from before cycles were stored. */
function cycleOf({ currency }: ServiceRow, product: Product | undefined) {
  return product && currency ? planOf(product, currency)?.cycle : undefined
}

/** When the paid time of paid orders began, by order. */
async function startsOf({ db }: DbContext, orderIds: readonly string[]): Promise<Map<string, Instant>> {
  const rows = await db
    .selectFrom("orders")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .leftJoin("order_events", (join) =>
      join.onRef("order_events.order_id", "=", "orders.id").on("order_events.kind", "=", "provisioned"),
    )
    .select((row) => [
      "orders.id",
      "invoices.paid_at",
      row.fn.min<Instant | null>("order_events.at").as("at"),
    ])
    .where("orders.id", "in", orderIds)
    .where("orders.status", "in", paidStatuses)
    .where("invoices.paid_at", "is not", null)
    .groupBy(["orders.id", "invoices.paid_at"])
    .execute()
  return new Map(
    rows.map(({ id, paid_at, at }) => [
      id,
      startOfPaidTime(Number(paid_at), at === null ? null : Number(at)),
    ]),
  )
}

type Earlier = { readonly id: string; readonly cycle: NonNullable<ServiceRow["cycle"]> }

/** False: another instance has started the term. The update locks the row until the term is stored. */
async function start(
  tx: DbContext,
  { id, cycle }: Earlier,
  { anchor, at }: { anchor: Instant; at: Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable("services")
    .set({ cycle, not_before: at + (tx.terms?.amnestyDays ?? 0) * DAY })
    .where("id", "=", id)
    .where("term_anchor", "is", null)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return false
  await extendTerm(tx, id, { cycles: 1, anchor, at, event: { kind: "started" } })
  return true
}
