import type { DbContext } from "../db/transaction.server"

type Lines = { readonly customerId: string; readonly ids: readonly string[] }

/** Lines of one statement, far below what either database takes as parameters: a file has all lines of a reseller. */
const AT_ONCE = 1_000

/** See `Resellers.linesEndedEarly`. A service stores no time of its end: that of its last termination is among its events. */
export async function linesEndedEarly(
  ctx: DbContext,
  { customerId, ids }: Lines,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const rows = await endedEarly(ctx, { customerId, ids: ids.slice(start, start + AT_ONCE) })
    for (const { id } of rows) found.add(id)
  }
  return found
}

function endedEarly({ db }: DbContext, { customerId, ids }: Lines): Promise<readonly { id: string }[]> {
  return db
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
}
