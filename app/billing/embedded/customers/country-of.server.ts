import { type Country, UNKNOWN_COUNTRY } from "~/domain/customers/country"
import type { DbContext } from "../db/transaction.server"

/** The country of a client: see `Customers.countryOf`. */
export async function countryOf({ db }: DbContext, id: string): Promise<Country> {
  const row = await db.selectFrom("clients").select("country").where("id", "=", id).executeTakeFirst()
  return row?.country ?? UNKNOWN_COUNTRY
}
