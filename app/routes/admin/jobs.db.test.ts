import { afterEach, beforeEach, expect, test } from "vitest"
import { MINUTE } from "~/domain/calendar"
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

test("has pages by key, the longest waiting first, and keeps the filter", async () => {
  for (let index = 0; index < 51; index++) {
    const { serviceId } = await buyPlan(shop, { key: `draft-${index}` })
    await parked(serviceId)
    shop.wait(MINUTE)
  }
  const first = await page("?state=parked&about=panel")
  expect(first.match(/<tr>/g)).toHaveLength(1 + 50)
  expect(first).not.toContain('rel="prev"')
  const [, later = ""] = /jobs([^"]+)" rel="next">Later failures</.exec(first) ?? []
  expect(later).toMatch(/^\?state=parked&amp;about=panel&amp;older=\d+-\w+$/)
  const second = await page(later.replaceAll("&amp;", "&"))
  expect(second.match(/<tr>/g)).toHaveLength(1 + 1)
  expect(second).not.toContain('rel="next"')
  const [, earlier = ""] = /jobs([^"]+)" rel="prev">Earlier failures</.exec(second) ?? []
  expect((await page(earlier.replaceAll("&amp;", "&"))).match(/<tr>/g)).toHaveLength(1 + 50)
})
