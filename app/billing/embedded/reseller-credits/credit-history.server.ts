import type { CreditCause, CreditMovement, Credits } from "~/domain/reseller-credits"
import type { CreditAccount, CreditEntryRow } from "../db/schema/credit-rows"
import type { Books } from "../db/transaction.server"
import { creditBalance, heldBy } from "./credit-ledger.server"

/** What a customer holds and the last movements of it: see `Resellers.credits`. */
export async function creditsOf(books: Books, customerId: string, most: number): Promise<Credits> {
  const account = heldBy(customerId)
  const [from, to] = [
    lastOf(books, { side: "from_account", account, most }),
    lastOf(books, { side: "to_account", account, most }),
  ]
  const rows = await books.db
    .selectFrom(from.as("given"))
    .selectAll()
    .unionAll(books.db.selectFrom(to.as("got")).selectAll())
    .orderBy("at", "desc")
    .orderBy("id")
    .limit(most)
    .execute()
  const movements = rows.map((row) => movementOf(row, row.to_account === account ? 1 : -1))
  return { balance: Number(await creditBalance(books, account)), movements }
}

/** Each side by itself, which is found by its index however many entries there are. */
function lastOf(
  { db }: Books,
  { side, account, most }: { side: "from_account" | "to_account"; account: CreditAccount; most: number },
) {
  return db
    .selectFrom("credit_entries")
    .selectAll()
    .where(side, "=", account)
    .orderBy("at", "desc")
    .orderBy("id")
    .limit(most)
}

/** The first word of what caused an entry says what it was. */
const causes: Readonly<Record<string, CreditCause>> = { order: "plan", line: "line", operator: "gift" }

function movementOf({ amount, reference, at }: CreditEntryRow, sign: 1 | -1): CreditMovement {
  const [word = "", name = null] = reference.split(" ")
  const cause = causes[word] ?? "gift"
  return { cause, amount: sign * amount, reference: cause === "gift" ? null : name, at }
}
