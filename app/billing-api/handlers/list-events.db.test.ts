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

test("a poller that has read before the first event goes on with it", async () => {
  const empty = await openApiShop()
  const { body } = await empty.call("events")
  expect(body.events).toEqual([])
  await empty.services.webhooks.recordGateway("offshore", true, empty.services.now())
  await publishEvents(empty.services)
  const first = await empty.call("events", { after: String(body.next) })
  expect(first.body).toMatchObject({ events: [{ type: "gateway.down" }] })
  await empty.close()
})

test("a position of an earlier version, which names no stream, goes on", async () => {
  const { body } = await shop.call("events", { limit: 1 })
  const [position = ""] = String(body.next).split(".")
  const rest = await shop.call("events", { after: position })
  expect(rest.body).toEqual((await shop.call("events", { after: String(body.next) })).body)
})

test("a position of another database, or beyond the last one, is refused with what to do", async () => {
  const { body } = await shop.call("events")
  const [position = "", stream] = String(body.next).split(".")
  const told = { code: "events-reset", message: expect.stringContaining("begin without `after`") }
  const beyond = Number(position) + 1
  for (const after of [`${position}.00000000`, `${beyond}.${stream}`, String(beyond)]) {
    const answer = await shop.call("events", { after })
    expect([answer.status, answer.body.error]).toEqual([409, told])
  }
})

test.each(["x", "-1", "1.5", "9".repeat(16), `${"9".repeat(16)}.0123abcd`])(
  "a position %s is refused",
  async (after) => {
    const { status, body } = await shop.call("events", { after })
    expect([status, body.error]).toMatchObject([400, { code: "bad-request" }])
  },
)
