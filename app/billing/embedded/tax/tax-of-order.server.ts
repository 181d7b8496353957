import type { NewUpsell } from "~/billing/orders/new-order"
import type { TaxPolicy } from "~/billing/tax-policy"
import { dayIn, type Instant } from "~/domain/calendar"
import type { Quote } from "~/domain/catalogue/pricing"
import type { BuyerPlace } from "~/domain/customers/country"
import type { Order } from "~/domain/orders/order"
import { type OrderTax, orderTax, taxWhenPaid } from "~/domain/orders/order-tax"
import { countryOf } from "../customers/country-of.server"
import type { OrderRow } from "../db/schema/order-rows"
import { parseOrderTax } from "../db/stored-tax.server"
import type { DbContext } from "../db/transaction.server"

type Taxed = Pick<NewUpsell, "customerId" | "buyer" | "quote" | "at"> & {
  /** The service that the order creates or extends. */
  readonly serviceId: string | null
}

const untaxed: TaxPolicy = { rules: null, timeZone: "UTC" }

/** The tax of a new order, as JSON. Null: the shop taxes nothing, or the order has no tax. Reads only if it does. */
export async function taxOfNewOrder(ctx: DbContext, order: Taxed): Promise<string | null> {
  const { rules, timeZone } = ctx.tax ?? untaxed
  if (!rules || order.quote.total.minor === 0) return null
  const tax = orderTax(rules, order.quote, {
    buyer: order.buyer ?? (await placeOfCustomer(ctx, order.customerId)),
    day: dayIn(timeZone, order.at),
    productId: await productOf(ctx, order),
  })
  return tax && JSON.stringify(tax)
}

/**
 * The tax of an order that is placed again with another quote: its buyer is where they were. Without tax before, since it was free or
 * the shop taxed nothing, the buyer is where the customer is.
 */
export async function taxOfRequote(
  ctx: DbContext,
  { tax: before, service_id: serviceId, client_id }: Pick<OrderRow, "tax" | "service_id" | "client_id">,
  { quote, at }: { readonly quote: Quote; readonly at: Instant },
): Promise<string | null> {
  const { rules, timeZone } = ctx.tax ?? untaxed
  if (!rules) return before
  const buyer = before === null ? await placeOfCustomer(ctx, client_id) : parseOrderTax(before).buyer
  const productId = await productOf(ctx, { quote, serviceId })
  const tax = orderTax(rules, quote, { buyer, day: dayIn(timeZone, at), productId })
  return tax && JSON.stringify(tax)
}

/**
 * The tax of an order that is paid now, stored with it: at the rates of this day, if one has changed since the order was placed. In
 * the transaction of the payment.
 */
export async function taxOfPaidOrder(
  ctx: DbContext,
  { id, serviceId, placedAt, lines, total }: Order,
  tax: OrderTax,
  at: Instant,
): Promise<OrderTax> {
  const { rules, timeZone } = ctx.tax ?? untaxed
  const [placedOn, paidOn] = [dayIn(timeZone, placedAt), dayIn(timeZone, at)]
  if (!rules || placedOn === paidOn) return tax
  const productId = await productOf(ctx, { quote: { lines, total }, serviceId })
  const paid = taxWhenPaid(rules, { lines, tax }, { placedOn, paidOn, productId })
  if (paid !== tax)
    await ctx.db
      .updateTable("orders")
      .set({ tax: JSON.stringify(paid) })
      .where("id", "=", id)
      .execute()
  return paid
}

/** An order that nobody sees, such as a renewal from account credit, is for the country of the customer. */
export async function placeOfCustomer(ctx: DbContext, id: string): Promise<BuyerPlace> {
  return { named: null, located: await countryOf(ctx, id) }
}

/** The product that extra connections are of, in a shop whose products differ in tax. */
async function productOf(
  { db, tax }: DbContext,
  { quote, serviceId }: Pick<Taxed, "quote" | "serviceId">,
): Promise<string | null> {
  const isOfService = quote.lines.every(({ kind }) => kind === "moreConnections")
  if (!isOfService || serviceId === null || Object.keys(tax?.rules?.categories ?? {}).length === 0)
    return null
  const row = await db
    .selectFrom("services")
    .select("product_id")
    .where("id", "=", serviceId)
    .executeTakeFirst()
  return row?.product_id ?? null
}
