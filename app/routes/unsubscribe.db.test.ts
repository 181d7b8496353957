import { beforeEach, expect, test } from "vitest"
import { DAY, HOUR } from "~/domain/calendar"
import { runMailQueue } from "~/flows/mail/run-mail-queue.server"
import type { Mailer, OutgoingMail } from "~/mail/mailer"
import { buy, buyPlan, request } from "../../tests/fixtures/purchase"
import { respond } from "../../tests/fixtures/shop-router"
import { choice, openTestShop } from "../../tests/fixtures/test-shop"

let shop: Awaited<ReturnType<typeof openMailingShop>>
beforeEach(async () => {
  shop = await openMailingShop()
  return () => shop.billing.close()
})

async function openMailingShop() {
  const handed: OutgoingMail[] = []
  const mailer: Mailer = {
    async send(mail) {
      handed.push(mail)
      return { kind: "sent", response: "250 ok" }
    },
  }
  const mail = { orders: true, reminders: true, operator: true, creditsLow: 5 }
  const opened = await openTestShop({ mailer, mail })
  const services = { ...opened.services, mailer }
  const send = () => runMailQueue(services, { queue: "mail", signal: new AbortController().signal })
  return { ...opened, services, handed, send }
}

/** Lets a buyer leave an order unpaid until the reminder is sent; returns the path to unsubscribe. */
async function reminded(): Promise<string> {
  await buy(shop)
  shop.wait(4 * HOUR)
  await shop.send()
  const { unsubscribeUrl } = shop.handed.at(-1) ?? {}
  const url = new URL(unsubscribeUrl ?? "none:")
  return `${url.pathname.slice("/checkout".length)}${url.search}`
}

const suppressions = () => shop.services.mails.suppressionsOf("ana@example.test")
const oneClick = { "List-Unsubscribe": "One-Click" }

test("a reminder carries a signed address to unsubscribe, which names no recipient", async () => {
  const path = await reminded()
  expect(path).toMatch(/^\/api\/mail\/unsubscribe\?mail=[\w-]+&key=[\w-]+$/)
  expect(path).not.toContain("ana")
})

test("a receipt carries none", async () => {
  await buyPlan(shop)
  await shop.send()
  expect(shop.handed.map(({ unsubscribeUrl }) => unsubscribeUrl)).toEqual([null])
})

test("opening the address changes nothing", async () => {
  const response = await respond(shop.services, { path: await reminded() })
  expect(response.status).toBe(200)
  expect(await suppressions()).toEqual([])
})

test("a mail program's POST without cookie and Origin ends reminders, and is answered by 200 (RFC 8058)", async () => {
  const path = await reminded()
  const response = await respond(shop.services, { path, form: oneClick })
  expect([response.status, response.headers.get("location")]).toEqual([200, null])
  expect(await suppressions()).toMatchObject([{ scope: "reminder", reason: "unsubscribed" }])
  expect((await respond(shop.services, { path, form: oneClick })).status).toBe(200)
})

test("the page's button ends reminders and is redirected to the page that says so", async () => {
  const path = await reminded()
  const response = await respond(shop.services, { path, form: { button: "" } })
  expect(response.status).toBe(303)
  expect(response.headers.get("location")).toBe(`/checkout${path}&done=`)
  expect(await suppressions()).toHaveLength(1)
})

test("who unsubscribes by a message to a former address gets no reminder at the present one either", async () => {
  const path = await reminded()
  const { operator } = shop.billing
  const [customerId = ""] = await operator.customersOf("ana@example.test")
  await operator.changeEmail({ customerId, to: "anna@example.test", at: shop.services.now() })
  await respond(shop.services, { path, form: oneClick })
  expect(await suppressions()).toMatchObject([{ scope: "reminder" }])
  expect(await shop.services.mails.suppressionsOf("anna@example.test")).toMatchObject([{ scope: "reminder" }])
})

test("afterwards this address gets no reminder, but its receipts; another address gets both", async () => {
  await respond(shop.services, { path: await reminded(), form: oneClick })
  shop.wait(31 * DAY)
  shop.handed.length = 0
  await buy(shop, { key: "draft-2" })
  await buy(shop, { ...request({ key: "draft-3" }), choices: { ...choice, email: "ben@example.test" } })
  shop.wait(4 * HOUR)
  await shop.send()
  expect(shop.handed.map(({ to }) => to.address)).toEqual(["ben@example.test"])
  await buyPlan(shop, { key: "draft-4" })
  await shop.send()
  expect(shop.handed.at(-1)).toMatchObject({ to: { address: "ana@example.test" }, unsubscribeUrl: null })
})

test.each([
  ["no signature", (path: string) => path.replace(/&key=.*/, "")],
  ["another message", (path: string) => path.replace(/mail=[^&]+/, "mail=other")],
  ["a changed signature", (path: string) => path.replace(/key=.{4}/, "key=AAAA")],
  ["nothing", () => "/api/mail/unsubscribe"],
])("an address with %s is 404 for both, and changes nothing", async (_, changed) => {
  const path = changed(await reminded())
  expect((await respond(shop.services, { path })).status).toBe(404)
  expect((await respond(shop.services, { path, form: oneClick })).status).toBe(404)
  expect(await suppressions()).toEqual([])
})

test("the address of an erased customer's message is still answered", async () => {
  const path = await reminded()
  const { operator } = shop.billing
  await operator.eraseCustomer(await operator.customersOf("ana@example.test"), { force: true })
  expect((await respond(shop.services, { path, form: oneClick })).status).toBe(200)
})
