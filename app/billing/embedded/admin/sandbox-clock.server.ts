import { type DbContext, inTransaction } from "../db/transaction.server"

/** The clock of a sandbox, which all instances and commands on this database follow. */
export interface ClockAdmin {
  /** Milliseconds by which it is ahead of the machine's. */
  clockAhead(): Promise<number>
  /** Moves it ahead. Returns the milliseconds by which it is ahead then. */
  advanceClock(by: number): Promise<number>
}

const CURSOR = "shop clock"

export async function clockAhead({ db }: DbContext): Promise<number> {
  const row = await db.selectFrom("cursors").select("place").where("name", "=", CURSOR).executeTakeFirst()
  return Number(row?.place ?? 0)
}

export async function advanceClock(ctx: DbContext, by: number): Promise<number> {
  return inTransaction(ctx, async (tx) => {
    const place = String((await clockAhead(tx)) + by)
    await tx.db
      .insertInto("cursors")
      .values({ name: CURSOR, place })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ place }))
      .execute()
    return Number(place)
  })
}
