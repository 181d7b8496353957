import type { Instant } from "~/domain/calendar"
import type { Country } from "~/domain/country"
import { type FraudVerdict, judgeVisitor, ORDER_VELOCITY } from "~/domain/fraud"
import type { Books } from "../db/transaction.server"
import { blocksFor } from "./block-list.server"
import { addressIn, isSomebodysOwn } from "./ip-range"

type Visitor = { readonly address: string | null; readonly country: Country; readonly at: Instant }

/** What the books have against an order from where a visitor is: see `Visits.checkFraud`. */
export async function checkFraud(books: Books, { address, country, at }: Visitor): Promise<FraudVerdict> {
  const known = address === null ? null : addressIn(address)
  const blocks = await blocksFor(books, { address: known, country })
  // Behind an address that is nobody's own stand many buyers, or a proxy of ours.
  const counted = address !== null && known !== null && isSomebodysOwn(known)
  return judgeVisitor({ blocks, unpaid: counted ? await unpaidFrom(books, address, at) : 0 })
}

async function unpaidFrom({ db }: Books, address: string, at: Instant): Promise<number> {
  const { unpaid } = await db
    .selectFrom("orders")
    .select((row) => row.fn.countAll<number>().as("unpaid"))
    .where("address", "=", address)
    .where("placed_at", ">", at - ORDER_VELOCITY.within)
    .where("status", "not in", ["paid", "active"])
    .executeTakeFirstOrThrow()
  return unpaid
}
