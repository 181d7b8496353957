import type { Country } from "~/domain/country"
import type { Block } from "~/domain/fraud"
import type { DbContext } from "../db/transaction.server"
import type { Blocked } from "./block-value"
import { type ClientAddress, isWithin } from "./ip-range"

/** Shuts out an address, a network or a country. Again: with the newer reason. */
export async function block({ db }: DbContext, block: Block): Promise<void> {
  await db
    .insertInto("blocks")
    .values(block)
    .onConflict((conflict) =>
      conflict.columns(["kind", "value"]).doUpdateSet((row) => ({
        reason: row.ref("excluded.reason"),
        at: row.ref("excluded.at"),
      })),
    )
    .execute()
}

/** Lets somebody in again; false when he was not shut out. */
export async function unblock({ db }: DbContext, { kind, value }: Blocked): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("blocks")
    .where("kind", "=", kind)
    .where("value", "=", value)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function blocks({ db }: DbContext): Promise<readonly Block[]> {
  return db.selectFrom("blocks").selectAll().orderBy("kind").orderBy("value").execute()
}

type Whereabouts = { readonly address: ClientAddress | null; readonly country: Country }

/** The blocks that fit where a visitor is. */
export async function blocksFor(
  { db }: DbContext,
  { address, country }: Whereabouts,
): Promise<readonly Block[]> {
  const own = address ? String(address) : ""
  const rows = await db
    .selectFrom("blocks")
    .selectAll()
    .where((row) =>
      row.or([
        row.and({ kind: "address", value: own }),
        row.and({ kind: "country", value: country }),
        // Which networks an address lies in is nothing that both engines can be asked.
        row("kind", "=", "network"),
      ]),
    )
    .orderBy("kind")
    .orderBy("value")
    .execute()
  return rows.filter(({ kind, value }) => kind !== "network" || (address && isWithin(address, value)))
}
