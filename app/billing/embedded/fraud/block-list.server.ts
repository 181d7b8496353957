import type { Country } from "~/domain/customers/country"
import type { Block, Blocked } from "~/domain/orders/fraud"
import type { DeviceAddress } from "~/domain/services/device-address"
import { type IpAddress, ipAddress, isWithin } from "~/http/ip-address.server"
import { precompiledQueryBy } from "../db/precompiled-query.server"
import type { DbContext } from "../db/transaction.server"

/** Blocks an address, a network, a country, a customer or a device. Idempotent; blocking again replaces reason and time. */
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

type Whereabouts = {
  readonly address: IpAddress | null
  readonly country: Country
  readonly customerId: string | null
}

/** See `FraudAndAffiliates.isDeviceBlocked`. */
export async function isDeviceBlocked({ db }: DbContext, device: DeviceAddress): Promise<boolean> {
  const row = await db
    .selectFrom("blocks")
    .select("value")
    .where("kind", "=", "device")
    .where("value", "=", device)
    .executeTakeFirst()
  return row !== undefined
}

/** Finds the blocks that match a customer, a device of the customer's services, or a client's address, network or country. */
export async function blocksFor(
  ctx: DbContext,
  { address, country, customerId }: Whereabouts,
): Promise<readonly Block[]> {
  const own = address ? String(address) : ""
  const rows = await matchingRows(ctx, { address: own, country, customerId: customerId ?? "" })
  return rows.filter(({ kind, value }) => kind !== "network" || (address && isWithin(address, value)))
}

const matchingRows = precompiledQueryBy(
  { address: "text", country: "text", customerId: "text" },
  ({ db }, { address, country, customerId }: { address: string; country: string; customerId: string }) =>
    db
      .selectFrom("blocks")
      .selectAll()
      .where((row) =>
        row.or([
          row.and({ kind: "address", value: address }),
          row.and({ kind: "country", value: country }),
          row.and({ kind: "customer", value: customerId }),
          row.and([
            row("kind", "=", "device"),
            row(
              "value",
              "in",
              db
                .selectFrom("services")
                .select((service) => service.ref("device_address").$notNull().as("device_address"))
                .where("client_id", "=", customerId)
                .where("device_address", "is not", null),
            ),
          ]),
          // SQLite has no CIDR operators, so networks are matched in code.
          row("kind", "=", "network"),
        ]),
      )
      .orderBy("kind")
      .orderBy("value"),
)

/** Blocks of a customer, and of the addresses of the customer's orders. */
export async function blocksOfCustomer(
  { db }: DbContext,
  { customerId, addresses }: { readonly customerId: string; readonly addresses: readonly string[] },
): Promise<readonly Block[]> {
  const rows = await db
    .selectFrom("blocks")
    .selectAll()
    .where((row) =>
      row.or([
        row.and({ kind: "customer", value: customerId }),
        row.and([row("kind", "=", "address"), row("value", "in", ["", ...addresses])]),
        row("kind", "=", "network"),
      ]),
    )
    .orderBy("kind")
    .orderBy("value")
    .execute()
  const known = addresses.map(ipAddress).filter((it) => it !== null)
  return rows.filter(({ kind, value }) => kind !== "network" || known.some((it) => isWithin(it, value)))
}
