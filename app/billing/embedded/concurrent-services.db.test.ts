import { afterAll, beforeAll, expect, test } from "vitest"
import { DAY } from "~/domain/calendar"
import { money } from "~/domain/money"
import type { Service } from "~/domain/service"
import { endOfTerm, newTerm } from "~/domain/term"
import { active, NOON, unique } from "../../../tests/contracts/billing/billing-fixtures"
import { type BillingWithTerms, openBillingWithTerms } from "../../../tests/fixtures/billing-with-terms"
import { termPolicy } from "../../../tests/fixtures/term-policy"
import { whileOpen } from "../../../tests/support/db/contention"
import { runCampaign } from "./services/term-campaigns.server"

/* What happens to a service on two instances at the same moment: see `tests/support/db/contention.ts`. */

const ZONE = termPolicy.timeZone
const END = endOfTerm(newTerm(NOON, ZONE, 1), "monthly")
const _eur = (minor: number) => money(minor, "EUR")
const _fulfilled = <Value>(value: Value) => ({ status: "fulfilled", value })

let shop: BillingWithTerms

beforeAll(async () => {
  shop = await openBillingWithTerms("PostgreSQL")
})
afterAll(() => shop.close())

/** A service of EUR 20.00 a month that is paid until `END`. */
async function service(customerId?: string): Promise<Service> {
  const { serviceId: id } = await active(shop, customerId === undefined ? {} : { customerId })
  const term = {
    term_anchor: NOON,
    term_zone: ZONE,
    term_count: 1,
    paid_until: END,
    created_at: NOON,
  } as const
  await shop.ctx.db
    .updateTable("services")
    .set({ cycle: "monthly", ...term })
    .where("id", "=", id)
    .execute()
  return find(id)
}

async function find(id: string): Promise<Service> {
  const found = await shop.billing.service(id)
  if (!found) throw new Error(`No service ${id}`)
  return found
}

test("a campaign that is undone while it goes on leaves its days to no service", async () => {
  const request = { days: 2, productId: null, activeAt: NOON + DAY, reason: unique() }
  const first = await service()
  const { id } = await shop.operator.runCampaign(request, NOON + 2 * DAY)
  expect(await find(first.id)).toMatchObject({ paidUntil: END + 2 * DAY })
  const second = await service()
  const [run] = await whileOpen(
    shop.ctx,
    (tx) => runCampaign(tx, request, NOON + 2 * DAY),
    () => shop.operator.undoCampaign(id, NOON + 3 * DAY),
  )
  expect(run).toMatchObject({ id, services: [second.id] })
  expect(await find(first.id)).toMatchObject({ paidUntil: END })
  expect(await find(second.id)).toMatchObject({ paidUntil: END })
})
