import type { DbContext } from "../db/transaction.server"

type Lines = { readonly customerId: string; readonly ids: readonly string[] }

/** See `Resellers.linesEndedEarly`. A service stores no time of its end: that of its last termination is among its events. */
export async function linesEndedEarly(
  { db }: DbContext,
  { customerId, ids }: Lines,
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom("services")
    .innerJoin("service_events", "service_events.service_id", "services.id")
    .select("services.id")
    .where("services.id", "in", ids)
    .where("services.client_id", "=", customerId)
    .where("services.status", "in", ["Terminated", "Cancelled"])
    .where("service_events.kind", "=", "terminated")
    .groupBy(["services.id", "services.paid_until"])
    .having(({ eb, fn, ref }) => eb(fn.max("service_events.at"), "<", ref("services.paid_until")))
    .execute()
  return new Set(rows.map(({ id }) => id))
}
