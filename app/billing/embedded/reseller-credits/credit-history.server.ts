import { sql } from "kysely"
import type { AuthenticatedCustomer } from "~/domain/customers/customer"
import { resellerPlanKinds } from "~/domain/orders/order"
import type {
  ResellerCreditCause,
  ResellerCreditMovement,
  ResellerCredits,
} from "~/domain/services/reseller-credits"
import type { ResellerCreditAccount, ResellerCreditEntryRow } from "../db/schema/credit-rows"
import type { DbContext } from "../db/transaction.server"
import { customerAccount, resellerCreditBalance } from "./credit-ledger.server"

/** Balance and latest ledger entries of a customer's reseller credits: see `Resellers.resellerCredits`. */
export async function resellerCreditsOf(
  ctx: DbContext,
  customer: AuthenticatedCustomer,
  limit: number,
): Promise<ResellerCredits> {
  const account = customerAccount(customer.id)
  const [from, to] = [
    lastOf(ctx, { side: "from_account", account, limit, customer }),
    lastOf(ctx, { side: "to_account", account, limit, customer }),
  ]
  const rows = await ctx.db
    .selectFrom(from.as("given"))
    .selectAll()
    .unionAll(ctx.db.selectFrom(to.as("got")).selectAll())
    .orderBy("at", "desc")
    .orderBy("id")
    .limit(limit)
    .execute()
  const movements = rows.map((row) => movementOf(row, row.to_account === account ? 1 : -1))
  const extended = await extendedBy(ctx, movements)
  const balance = Number(await resellerCreditBalance(ctx, account))
  const inScope = await balanceInScope(ctx, customer)
  return {
    balance: Math.max(0, Math.min(balance, inScope)),
    movements: movements.map((movement) => {
      const lines = movement.reference === null ? undefined : extended.get(movement.reference)
      return lines === undefined ? movement : { ...movement, extended: lines }
    }),
  }
}

/** Ids of the lines that extensions among ledger entries have extended, by the order of the extension. */
export async function extendedBy(
  { db }: DbContext,
  movements: readonly Pick<ResellerCreditMovement, "cause" | "reference">[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const orderIds = movements.flatMap(({ cause, reference }) =>
    cause === "extension" && reference !== null ? [reference] : [],
  )
  if (orderIds.length === 0) return new Map()
  const rows = await db
    .selectFrom("renewal_items")
    .select(["order_id", "service_id"])
    .where("order_id", "in", orderIds)
    .orderBy("order_id")
    .orderBy("position")
    .execute()
  const byOrder = Map.groupBy(rows, ({ order_id }) => order_id)
  return new Map([...byOrder].map(([id, items]) => [id, items.map(({ service_id }) => service_id)]))
}

/**
 * Net reseller credits in a customer's access scope. With a sign-up password: credits bought less credits spent under
 * it, possibly negative. Infinity for the whole account, which only its balance limits; −Infinity for a sign-up
 * password without an id, whose scope is empty.
 */
export async function balanceInScope(ctx: DbContext, customer: AuthenticatedCustomer): Promise<number> {
  if (customer.reach === "account") return Number.POSITIVE_INFINITY
  if (!customer.passwordId) return Number.NEGATIVE_INFINITY
  const account = customerAccount(customer.id)
  const { total } = await ctx.db
    .selectFrom("credit_entries")
    .select((row) => {
      const signed = row
        .case()
        .when("to_account", "=", account)
        .then(row.ref("amount"))
        .else(row.neg(row.ref("amount")))
        .end()
      return row.fn.sum<number | null>(signed).as("total")
    })
    .where("reference", "in", causedUnder(ctx, customer))
    .executeTakeFirstOrThrow()
  return Number(total ?? 0)
}

/**
 * References of ledger entries caused by orders under a sign-up password: reseller plans, lines, their extensions, and
 * credits that were returned or taken back, of a plan possibly more than once (`roundReference`).
 */
function causedUnder({ db }: DbContext, { id, passwordId }: AuthenticatedCustomer) {
  const account = customerAccount(id)
  const again = (side: "from_account" | "to_account", cause: "order" | "refund") =>
    db
      .selectFrom("credit_entries as again")
      .innerJoin("orders", (join) =>
        join.on("again.reference", "like", sql<string>`cast(${`${cause} `} as text) || orders.id || ' %'`),
      )
      .select("again.reference")
      .where(`again.${side}`, "=", account)
      .where("orders.client_id", "=", id)
      .where("orders.kind", "in", resellerPlanKinds)
      .where("orders.access_scope", "=", "sign-up")
      .where("orders.password_id", "=", passwordId ?? null)
  const ordered = (cause: "order" | "line" | "extend" | "return" | "refund") =>
    db
      .selectFrom("orders")
      .select(sql<string>`cast(${`${cause} `} as text) || orders.id`.as("reference"))
      .where("client_id", "=", id)
      .where("access_scope", "=", "sign-up")
      .where("password_id", "=", passwordId ?? null)
  return ordered("order")
    .unionAll(ordered("line"))
    .unionAll(ordered("extend"))
    .unionAll(ordered("return"))
    .unionAll(ordered("refund"))
    .unionAll(again("to_account", "order"))
    .unionAll(again("from_account", "refund"))
}

type Side = {
  readonly side: "from_account" | "to_account"
  readonly account: ResellerCreditAccount
  readonly limit: number
  readonly customer: AuthenticatedCustomer
}

/** Latest entries of one side of the ledger: a query per side uses its index, one query with OR does not. */
function lastOf(ctx: DbContext, { side, account, limit, customer }: Side) {
  return ctx.db
    .selectFrom("credit_entries")
    .selectAll()
    .where(side, "=", account)
    .$if(customer.reach === "sign-up", (own) => own.where("reference", "in", causedUnder(ctx, customer)))
    .orderBy("at", "desc")
    .orderBy("id")
    .limit(limit)
}

/** Cause by the first word of an entry's reference. */
const causes: Readonly<Record<string, ResellerCreditCause>> = {
  order: "plan",
  line: "line",
  extend: "extension",
  return: "return",
  refund: "refund",
  operator: "gift",
}

/** A ledger entry as it is told. `sign`: whether it gave credits or took them. */
export function movementOf(
  { amount, reference, at }: ResellerCreditEntryRow,
  sign: 1 | -1,
): ResellerCreditMovement {
  const [word = "", name = null] = reference.split(" ")
  const cause = causes[word] ?? "gift"
  return { cause, amount: sign * amount, reference: cause === "gift" ? null : name, at }
}
