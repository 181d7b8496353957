import { expect, test } from "vitest"
import { respond } from "../../../tests/fixtures/shop-router"
import { openTestShop } from "../../../tests/fixtures/test-shop"

test("a load balancer gets 200 while the database answers, and 503 with the words of an outage while it does not", async () => {
  const shop = await openTestShop()
  const health = async (isAvailable: boolean) => {
    const response = await respond(
      { ...shop.services, healthy: async () => isAvailable },
      { path: "/api/health" },
    )
    return [response.status, await response.json()]
  }
  expect(await health(true)).toEqual([200, { status: "ok" }])
  expect(await health(false)).toEqual([503, { status: "database unavailable" }])
  await shop.billing.close()
})
