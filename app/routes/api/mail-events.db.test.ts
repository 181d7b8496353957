import { beforeEach, describe, expect, test } from "vitest"
import { receiveMailEvents } from "~/flows/mail/receive-mail-events.server"
import { runMailQueue } from "~/flows/mail/run-mail-queue.server"
import { bounceAddress } from "~/mail/bounce-address.server"
import type { Mailer, OutgoingMail } from "~/mail/mailer"
import { buyPlan } from "../../../tests/fixtures/purchase"
import { respond } from "../../../tests/fixtures/shop-router"
import { openTestShop } from "../../../tests/fixtures/test-shop"

const KEY = "a-key-of-at-least-thirty-two-characters"
const path = "/api/mail/events"

let shop: Awaited<ReturnType<typeof openReportedShop>>
beforeEach(async () => {
  shop = await openReportedShop()
  return () => shop.billing.close()
})

/** A shop that has sent a receipt to ana@example.test. */
async function openReportedShop() {
  const handed: OutgoingMail[] = []
  const mailer: Mailer = {
    async send(mail) {
      handed.push(mail)
      return { kind: "sent", response: "250 ok" }
    },
  }
  const opened = await openTestShop({ mailer })
  const services = { ...opened.services, mailer, mailEventKeys: ["k".repeat(32), KEY] }
  const order = await buyPlan(opened)
  await runMailQueue(services, { queue: "mail", signal: new AbortController().signal })
  return { ...opened, services, order, messageId: `<${handed[0]?.id}@shop.test>` }
}

const report = (body: unknown, headers: Record<string, string> = { authorization: `Bearer ${KEY}` }) =>
  respond(shop.services, { path, json: body, headers })
const bounced = (status: string | null, messageId = shop.messageId) => ({
  events: [{ messageId, type: "bounced", status }],
})
const suppressions = () => shop.services.mails.suppressionsOf("ana@example.test")

test.each(["5.1.1", "5.1.2", "5.1.6", "5.2.1"])(
  "a bounce with %s suppresses the address, once",
  async (status) => {
    expect(await (await report(bounced(status))).json()).toEqual({ known: 1 })
    await report(bounced(status))
    expect(await suppressions()).toMatchObject([{ scope: "all", reason: `bounced ${status}` }])
  },
)

test.each(["5.7.1", "5.2.2", "4.2.2", null])(
  "a bounce with %s says nothing about the mailbox",
  async (status) => {
    expect((await report(bounced(status))).status).toBe(200)
    expect(await suppressions()).toEqual([])
  },
)

test.each(["bounced", "complained"])(
  "a message that has %s after its customer has changed the address concerns the former one alone",
  async (type) => {
    const change = { customerId: shop.order.customerId, to: "anna@example.test", at: shop.services.now() }
    await shop.billing.operator.changeEmail(change)
    await report({ events: [{ messageId: shop.messageId, type, status: "5.1.1" }] })
    expect(await suppressions()).toHaveLength(1)
    expect(await shop.services.mails.suppressionsOf("anna@example.test")).toEqual([])
  },
)

test("the scheme of the key may be written in lower case", async () => {
  const response = await report(bounced("5.1.1"), { authorization: `bearer ${KEY}` })
  expect(await response.json()).toEqual({ known: 1 })
})

test("a complaint ends reminders, not receipts", async () => {
  await report({ events: [{ messageId: shop.messageId, type: "complained" }] })
  expect(await suppressions()).toMatchObject([{ scope: "reminder" }])
})

test("a bounce may be reported by the signed address it came to, and by no other", async () => {
  const id = Buffer.alloc(16, 7).toString("base64url")
  const reported: string[] = []
  const mails = {
    ...shop.services.mails,
    suppressRecipient: async (mailId: string) => reported.push(mailId) > 0,
  }
  const services = { ...shop.services, mails }
  const address = bounceAddress(services.signer, "bounces@shop.test", id)
  await receiveMailEvents(services, [{ messageId: address, type: "bounced", status: "5.1.1" }])
  const forged = address.replace(/.@/, (end) => (end === "a@" ? "b@" : "a@"))
  await receiveMailEvents(services, [{ messageId: forged, type: "bounced", status: "5.1.1" }])
  expect(reported[0]).toBe(id)
  expect(reported[1]).not.toBe(id)
})

test("an event about a message of somebody else changes nothing", async () => {
  expect(await (await report(bounced("5.1.1", "<other@elsewhere.test>"))).json()).toEqual({ known: 0 })
  expect(await suppressions()).toEqual([])
})

describe("a report is refused", () => {
  test.each([
    ["without a key", {}],
    ["with a wrong key", { authorization: `Bearer ${"x".repeat(40)}` }],
    ["with the start of a key", { authorization: `Bearer ${KEY.slice(0, 32)}` }],
    ["with another scheme", { authorization: `Basic ${KEY}` }],
  ])("%s by 401", async (_, headers) => {
    expect((await report(bounced("5.1.1"), headers as Record<string, string>)).status).toBe(401)
    expect(await suppressions()).toEqual([])
  })

  test.each([
    ["no list", {}],
    ["an unknown type", { events: [{ messageId: "a", type: "opened" }] }],
    ["a status of another kind", { events: [{ messageId: "a", type: "bounced", status: "no" }] }],
    ["too many events", { events: Array.from({ length: 501 }, () => ({ messageId: "a", type: "bounced" })) }],
  ])("with %s by 400", async (_, body) => {
    expect((await report(body)).status).toBe(400)
  })

  test("by 404 in a shop without keys, as any other request to the path", async () => {
    const services = { ...shop.services, mailEventKeys: [] }
    expect((await respond(services, { path, json: bounced("5.1.1") })).status).toBe(404)
    expect((await respond(services, { path })).status).toBe(404)
  })

  test("by 405 with another method in a shop with keys", async () => {
    expect((await respond(shop.services, { path })).status).toBe(405)
  })
})
