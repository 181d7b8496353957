import { afterEach, beforeEach, expect, test } from "vitest"
import { publishEvents } from "~/flows/webhooks/publish-events.server"
import { type ApiShop, openApiShop } from "../../../tests/fixtures/api-client"

let shop: ApiShop
beforeEach(async () => {
  shop = await openApiShop()
  await shop.services.webhooks.recordGateway("offshore", true, shop.services.now())
  await shop.services.webhooks.recordGateway("coinbase", true, shop.services.now())
  await publishEvents(shop.services)
})
afterEach(() => shop.close())

test("a poller gets the events in parts, and goes on where it has stopped", async () => {
  const first = await shop.call("events", { limit: 1 })
  expect(first.body).toMatchObject({ events: [{ type: "gateway.down" }] })
  const after = String(first.body.next)
  const second = await shop.call("events", { after, limit: 1 })
  expect(second.body).toMatchObject({ events: [{ type: "gateway.down" }] })
  expect(second.body.events).not.toEqual(first.body.events)
  const none = await shop.call("events", { after: String(second.body.next) })
  expect(none.body).toEqual({ events: [], next: second.body.next })
})

test.each(["x", "-1", "1.5", "9".repeat(16)])("a position %s is refused", async (after) => {
  const { status, body } = await shop.call("events", { after })
  expect([status, body.error]).toMatchObject([400, { code: "bad-request" }])
})
