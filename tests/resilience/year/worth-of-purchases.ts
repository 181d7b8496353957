import { expect } from "vitest"
import { type Checked, heldBy } from "./money-of-purchases"
import type { Compared, StoredSales } from "./stored-sales"

/** In minor units: each purchase of a service is rounded down by itself. */
const ROUNDING = 15

/** What the time of each service is worth that is paid and not used, in minor units. */
export async function unusedTime(
  { services: { billing, now } }: Checked,
  { services }: Pick<StoredSales, "services">,
): Promise<ReadonlyMap<string, number>> {
  const ids = services.map(({ id }) => id)
  const facts = await Promise.all(ids.map((id) => billing.planFacts(id, now())))
  return new Map(ids.map((id, at) => [id, facts[at]?.unused.minor ?? 0]))
}

/** The time after a change of plan at once is worth what the time before it was, and what was paid for it. */
export async function expectSameWorth(
  checked: Checked,
  { before, after }: Compared,
  worth: ReadonlyMap<string, number>,
): Promise<void> {
  const now = await unusedTime(checked, after)
  const isNew = (id: string) => before.changes.every((it) => it.order_id !== id || it.applied_at === null)
  for (const { order_id, service_id } of after.changes.filter((it) => it.applied_at && isNew(it.order_id))) {
    const order = (await checked.services.billing.order(order_id)) ?? expect.fail("no order")
    const expected = (worth.get(service_id) ?? 0) + (await heldBy(checked, order))
    expect(Math.abs((now.get(service_id) ?? 0) - expected)).toBeLessThanOrEqual(ROUNDING)
  }
}
