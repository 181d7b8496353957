import { sql } from "kysely"
import { expect, test } from "vitest"
import { DAY } from "~/domain/calendar"
import { allowedAtOnce } from "~/domain/services/dunning-brake"
import { active, NOON } from "../../../../tests/contracts/billing/billing-fixtures"
import { openDunnedShop } from "../../../../tests/fixtures/dunned-shop"

const LATER = NOON + 400 * DAY
const DUE = 100

/** Median milliseconds of finding 100 due services, and of counting those that would end, among `rows` services. */
async function measured(rows: number) {
  const shop = await openDunnedShop("SQLite")
  const { serviceId, id: orderId } = await active(shop.billing)
  const order = await shop.db
    .selectFrom("orders")
    .selectAll()
    .where("id", "=", orderId)
    .executeTakeFirstOrThrow()
  const ofOrder = columnsBut(order, ["id", "one_time_key", "service_id"])
  const ofService = columnsBut(await shop.serviceRow(serviceId), [
    "id",
    "order_id",
    "next_step",
    "next_step_at",
  ])
  const numbers = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(rows)})`
  await sql`
    insert into orders (id, one_time_key, service_id, ${ofOrder}) ${numbers}
    select 'o' || i, 'k' || i, 's' || i, ${ofOrder} from n, orders where id = ${orderId}`.execute(shop.db)
  await sql`
    insert into services (id, order_id, next_step, next_step_at, ${ofService}) ${numbers}
    select 's' || i, 'o' || i, 'suspend',
      case when i <= ${sql.lit(DUE)} then ${sql.lit(NOON)} + i else ${sql.lit(LATER)} + i end, ${ofService}
    from n, services where id = ${serviceId}`.execute(shop.db)
  await sql`analyze`.execute(shop.db)
  const times: number[] = []
  for (let run = 0; run < 51; run++) {
    const start = performance.now()
    const due = await shop.dunning.due(NOON + DAY, DUE)
    const { count, active: running } = await shop.dunning.ending(NOON + DAY)
    times.push(performance.now() - start)
    expect(due).toHaveLength(DUE)
    expect(count).toBeGreaterThan(DUE - 1)
    expect(allowedAtOnce(running)).toBeLessThanOrEqual(Math.max(20, rows / 50))
  }
  await shop.close()
  return times.sort((a, b) => a - b)[25] ?? 0
}

function columnsBut(row: object, left: readonly string[]) {
  const columns = Object.keys(row).filter((it) => !left.includes(it))
  return sql.join(columns.map((it) => sql.ref(it)))
}

test("due services are found in the same time among a thousand and among a million", async () => {
  const [few, many] = [await measured(1_000), await measured(1_000_000)]
  process.stdout.write(`due services: ${few.toFixed(2)} ms of 10^3, ${many.toFixed(2)} ms of 10^6\n`)
  expect(many).toBeLessThan(few * 10 + 5)
})
