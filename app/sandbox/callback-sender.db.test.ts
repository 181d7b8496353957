import { pino } from "pino"
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest"
import { openCallbackShop } from "../../tests/fakes/callback-receiver"
import { type CallbackQueue, reportsIn } from "./callback-queue.server"
import { type Deliverer, startCallbackSender } from "./callback-sender.server"
import { openDatabase } from "./database.server"

const shop = await openCallbackShop()
let reports: CallbackQueue
let callbackSender: Deliverer

beforeEach(() => {
  shop.calls.length = 0
  shop.statuses.length = 0
  reports = reportsIn(openDatabase(":memory:"))
  callbackSender = startCallbackSender({
    reports,
    sign: ({ messageId }) => ({ "webhook-id": messageId }),
    now: () => Date.now(),
    log: pino({ level: "silent" }),
    retries: [1, 1],
  })
})
afterEach(() => callbackSender.stop())
afterAll(() => shop.close())

test("a sandbox callback is sent once when the shop accepts it", async () => {
  await sendCallback(`${shop.origin}/callback`)
  expect(shop.calls.map(({ body }) => body.toString())).toEqual(["a message"])
})

test("a sandbox callback is abandoned after the last retry", async () => {
  shop.statuses.push(500, 302, 404, 204)
  await sendCallback(`${shop.origin}/callback`)
  expect(shop.calls.map(({ headers }) => headers.get("webhook-id"))).toEqual(["msg_1", "msg_1", "msg_1"])
})

test("a sandbox callback is not retried after 410", async () => {
  shop.statuses.push(410)
  await sendCallback(`${shop.origin}/callback`)
  expect(shop.calls).toHaveLength(1)
})

test("an unreachable shop does not block callbacks to other shops", async () => {
  add("http://127.0.0.1:1/callback")
  await sendCallback(`${shop.origin}/callback`)
  expect(shop.calls).toHaveLength(1)
})

function add(url: string) {
  reports.add({ messageId: "msg_1", protocol: "offshore", url, body: "a message" }, Date.now())
}

/** Enqueues a callback and waits until the queue is empty. */
async function sendCallback(url: string) {
  add(url)
  callbackSender.wake()
  await vi.waitFor(() => expect(reports.nextDue()).toBeNull(), { timeout: 5_000 })
}
