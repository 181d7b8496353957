import { setImmediate } from "node:timers/promises"
import type { Instant } from "~/domain/calendar"
import { bought, payable } from "~/domain/order-status"
import { atOnce, type Books } from "../books.server"
import { heldBy } from "../credits/credit-ledger.server"
import { Overtaken } from "../engines/failure.server"
import { ERASED, erase } from "./erasure.server"

/** How many customers are looked at in one go: a question must not keep the shop from answering. */
const LOOKED_AT = 250

type Wish = {
  readonly before: Instant
  readonly most: number
  /** Beside somebody else's books a customer may have bought something there, and sign in here to see it. */
  readonly passwords: "erase" | "keep"
}

/**
 * Erases what names customers who have never bought anything: see `Customers.forgetUnpaid`. Of their orders the last is
 * as old as `before`, no money has ever moved for them, and they hold no credits.
 */
export async function forgetUnpaid(books: Books, wish: Wish): Promise<number> {
  const { before, most } = wish
  const found: string[] = []
  let after: string | undefined = ""
  while (after !== undefined && found.length < most) {
    const ids = await clientsAfter(books, after)
    found.push(...(await forgettable(books, ids, before)))
    after = ids.length === LOOKED_AT ? ids.at(-1) : undefined
    await setImmediate()
  }
  return forget(books, found.slice(0, most), wish)
}

/** Looked at once more inside, and afterwards: whoever has ordered meanwhile is kept. */
function forget(books: Books, ids: readonly string[], { before, passwords }: Wish): Promise<number> {
  return atOnce(books, async (inside) => {
    const still = await forgettable(inside, ids, before)
    await erase(inside, still, passwords)
    if (await orderedSince(inside, still, before)) throw new Overtaken("A customer who was to be forgotten")
    return still.length
  })
}

async function clientsAfter({ db }: Books, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom("clients")
    .select("id")
    .where("id", ">", id)
    .orderBy("id")
    .limit(LOOKED_AT)
    .execute()
  return rows.map((row) => row.id)
}

async function forgettable({ db }: Books, ids: readonly string[], before: Instant): Promise<string[]> {
  if (ids.length === 0) return []
  const orders = db
    .selectFrom("orders")
    .select("client_id")
    .where("client_id", "in", ids)
    .where((row) => row.or([row("placed_at", ">", before), row("status", "in", [...bought, ...payable])]))
  const rows = await db
    .selectFrom("clients")
    .select("id")
    .where("id", "in", ids)
    .where("email", "!=", ERASED)
    .where("created_at", "<=", before)
    .where("id", "not in", orders)
    .where("id", "not in", db.selectFrom("payments").select("client_id").where("client_id", "in", ids))
    .where(
      "id",
      "not in",
      db.selectFrom("credit_movements").select("client_id").where("client_id", "in", ids),
    )
    .execute()
  const held = await holders(db, ids)
  return rows.map(({ id }) => id).filter((id) => !held.has(id))
}

/** Those who hold credits of resellers. */
async function holders(db: Books["db"], ids: readonly string[]): Promise<ReadonlySet<string>> {
  const accounts = new Map(ids.map((id) => [heldBy(id), id]))
  const rows = await db
    .selectFrom("credit_balances")
    .select("account")
    .where("account", "in", [...accounts.keys()])
    .where("balance", "!=", 0)
    .execute()
  return new Set(rows.flatMap(({ account }) => accounts.get(account) ?? []))
}

async function orderedSince({ db }: Books, ids: readonly string[], before: Instant): Promise<boolean> {
  if (ids.length === 0) return false
  const order = await db
    .selectFrom("orders")
    .select("id")
    .where("client_id", "in", ids)
    .where("placed_at", ">", before)
    .executeTakeFirst()
  return order !== undefined
}
