import type { Kysely } from "kysely"
import { type Migration, Migrator } from "kysely/migration"
import { beside } from "./migrations/beside"
import { catalogue } from "./migrations/catalogue"
import { customersSide } from "./migrations/customers-side"
import { jobs } from "./migrations/jobs"
import { money } from "./migrations/money"
import { orders } from "./migrations/orders"
import { refusedCallbacks } from "./migrations/refused-callbacks"
import { resellerCredits } from "./migrations/reseller-credits"
import { resellerProgramme } from "./migrations/reseller-programme"
import { settlement } from "./migrations/settlement"
import { visitors } from "./migrations/visitors"
import type { Tables } from "./schema/schema"

/** Carried out in the order of their names. What has been released is never changed; changes get a new name. */
export const migrations: Record<string, Migration> = {
  "0001-catalogue": catalogue,
  "0002-orders": orders,
  "0003-money": money,
  "0004-jobs": jobs,
  "0005-visitors": visitors,
  "0006-customers-side": customersSide,
  "0007-reseller-credits": resellerCredits,
  "0008-reseller-programme": resellerProgramme,
  "0009-settlement": settlement,
  "0010-refused-callbacks": refusedCallbacks,
  "0011-beside": beside,
}

/** Brings the tables up to date, all or nothing; any number of processes may do it at once. Throws what went wrong. */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}
