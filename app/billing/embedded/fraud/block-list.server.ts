import type { Country } from "~/domain/country"
import type { Block } from "~/domain/fraud"
import { type IpAddress, isWithin } from "~/http/ip-address.server"
import type { DbContext } from "../db/transaction.server"
import type { Blocked } from "./block-value"

/** Blocks an address, a network or a country. Idempotent; blocking again replaces reason and time. */
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

/** Removes a block. Returns false if there was none. */
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

type Whereabouts = { readonly address: IpAddress | null; readonly country: Country }

/** Finds the blocks that match a client's address, network or country. */
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
        // SQLite has no CIDR operators, so networks are matched in code.
        row("kind", "=", "network"),
      ]),
    )
    .orderBy("kind")
    .orderBy("value")
    .execute()
  return rows.filter(({ kind, value }) => kind !== "network" || (address && isWithin(address, value)))
}
