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
  shop.answers.length = 0
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

test("a message the shop takes is sent once", async () => {
  await sendCallback(`${shop.origin}/callback`)
  expect(shop.calls.map(({ body }) => body.toString())).toEqual(["a message"])
})

test("a shop that never takes the message is given up after the last repeat", async () => {
  shop.answers.push(500, 302, 404, 204)
  await sendCallback(`${shop.origin}/callback`)
  expect(shop.calls.map(({ headers }) => headers.get("webhook-id"))).toEqual(["msg_1", "msg_1", "msg_1"])
})

test("a shop that says the address is gone is not called again", async () => {
  shop.answers.push(410)
  await sendCallback(`${shop.origin}/callback`)
  expect(shop.calls).toHaveLength(1)
})

test("a shop that cannot be reached does not keep others from being told", async () => {
  add("http://127.0.0.1:1/callback")
  await sendCallback(`${shop.origin}/callback`)
  expect(shop.calls).toHaveLength(1)
})

function add(url: string) {
  reports.add({ messageId: "msg_1", protocol: "offshore", url, body: "a message" }, Date.now())
}

/** Adds a message and waits until nothing is left to be sent. */
async function sendCallback(url: string) {
  add(url)
  callbackSender.wake()
  await vi.waitFor(() => expect(reports.nextDue()).toBeNull(), { timeout: 5_000 })
}
