import { afterEach, beforeEach, expect, test } from "vitest"
import { type ConsoleVisitor, enrolled } from "../../../tests/fixtures/console"
import { buyPlan } from "../../../tests/fixtures/purchase"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"

let shop: TestShop
let marta: ConsoleVisitor
beforeEach(async () => {
  shop = await openTestShop()
  marta = await enrolled(shop, "support")
})
afterEach(() => shop.billing.close())

const page = async (query = "") => (await marta.request({ path: `/admin/jobs${query}` })).text()

/** Gives a job up that a running shop would do. */
async function parked(serviceId: string) {
  const { outbox, now } = shop.services
  const given = { owner: "operator", reason: "outage", at: now() } as const
  await shop.billing.operator.suspendService(serviceId, given)
  const [job] = await outbox.claim(now(), 1_000, 1, "terms")
  if (!job) throw new Error("There is no job")
  await outbox.reschedule(job, { at: now(), due: null, reason: "panel: HTTP 503" })
}

test("lists jobs that were given up by state and subject, and leads to their orders", async () => {
  const { id, serviceId } = await buyPlan(shop)
  expect(await page()).toContain("No jobs have failed.")
  await parked(serviceId)
  for (const query of ["", "?state=parked", "?about=panel", "?state=odd"]) {
    const listed = await page(query)
    expect(listed).toContain(`href="/checkout/admin/orders/${id}"`)
    expect(listed).toContain("panel: HTTP 503")
  }
  for (const query of ["?state=waiting", "?about=mail", "?about=refunds"])
    expect(await page(query)).toContain("No jobs have failed.")
  const overview = await (await marta.request({ path: "/admin" })).text()
  expect(overview).toContain('<a href="/checkout/admin/jobs?state=parked">A job was given up</a>')
})
