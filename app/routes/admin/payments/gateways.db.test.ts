import { afterEach, beforeEach, expect, test } from "vitest"
import { HOUR } from "~/domain/calendar"
import { localText } from "~/domain/local-time"
import type { CallbackAnswer } from "~/domain/payments/callback-test"
import { availableGateways } from "~/flows/payments/available-gateways.server"
import { changeGateway } from "~/flows/payments/change-gateway.server"
import { GatewayError, type SignedCallback, UntrustedCallbackError } from "~/gateways/gateway"
import {
  actOnPage,
  type ConsoleVisitor,
  consoleOf,
  enrolled,
  keyOfOwnSession,
} from "../../../../tests/fixtures/console"
import { buy, pay } from "../../../../tests/fixtures/purchase"
import { choice, openTestShop, type TestShop } from "../../../../tests/fixtures/test-shop"

let shop: TestShop
let marta: ConsoleVisitor
beforeEach(async () => {
  shop = await openTestShop()
  marta = await enrolled(shop, "viewer")
})
afterEach(() => shop.billing.close())

const text = async (path: string) => (await marta.request({ path })).text()
const rowOf = async (id: string) =>
  (await text("/admin/gateways")).split("<tr").find((it) => it.includes(`gateways/${id}">`)) ?? ""

test("the overview leads to the gateways, which say since when one does not answer, and how many orders wait for it", async () => {
  await buy(shop)
  expect(await rowOf("offshore")).toContain("Not asked since the start")
  const answered = shop.services.now() - 2 * HOUR
  const since = shop.services.now() - HOUR
  shop.gateway.isDegraded(true, { downSince: since, lastSuccessAt: answered })
  const row = await rowOf("offshore")
  expect(row).toContain(`Does not answer since ${localText(since, "UTC")}`)
  expect(row).toContain(localText(answered, "UTC"))
  expect(row).toContain('href="/checkout/admin/orders?status=awaiting-payment&amp;gateway=offshore">1</a>')
  expect(await rowOf("coinbase")).toContain("Not asked since the start")
  const overview = await text("/admin")
  expect(overview).toContain('<a href="/checkout/admin/gateways">A gateway does not answer</a>')
  expect(overview).toContain("1 h<")
  shop.gateway.isDegraded(false, { downSince: null, lastSuccessAt: shop.services.now() })
  expect(await rowOf("offshore")).toContain("Answers")
})

const offeredIds = async () => (await availableGateways(shop.services, "en-en")).map(({ id }) => id)

test("support drains a gateway while a payment is open there, which is finished, and offers it again", async () => {
  const support = await enrolled(shop, "support")
  const path = "/admin/gateways/offshore"
  const { order } = await buy(shop)
  const drained = await actOnPage(support, path, {
    form: { action: "drain-gateway", reason: "their outage" },
  })
  expect([drained.status, drained.headers.get("location")]).toEqual([
    303,
    `/checkout${path}?done=drain-gateway`,
  ])
  expect(await offeredIds()).toEqual(["coinbase"])
  expect(await rowOf("offshore")).toContain("Not offered: finishes its payments")
  await pay(shop, order)
  expect((await shop.billing.billing.order(order.id))?.status).toBe("active")
  const second = await buy(shop, { key: "draft-2", choices: { ...choice, gateway: "coinbase" } })
  expect(
    (await changeGateway(shop.services, second.order.id, { gateway: "coinbase", coin: null })).kind,
  ).toBe("opened")
  expect(
    (await changeGateway(shop.services, second.order.id, { gateway: "offshore", coin: null })).kind,
  ).toBe("not-opened")
  await actOnPage(support, path, { form: { action: "offer-gateway", reason: "they answer again" } })
  expect(await offeredIds()).toEqual(["offshore", "coinbase"])
  expect(await text("/admin/audit")).toContain("their outage")
})

test("the last gateway that is offered stays, and its page says why", async () => {
  const support = await enrolled(shop, "support")
  await actOnPage(support, "/admin/gateways/coinbase", { form: { action: "drain-gateway", reason: "asked" } })
  const refused = await actOnPage(support, "/admin/gateways/offshore", {
    form: { action: "drain-gateway", reason: "asked" },
  })
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining("the only gateway")])
  expect(await offeredIds()).toEqual(["offshore"])
})

test("the page of a gateway has the address of its callbacks, and no action for a viewer", async () => {
  const page = await text("/admin/gateways/coinbase")
  expect(page).toContain("https://shop.test/checkout/api/payments/coinbase/callback")
  expect(page).not.toContain("drain-gateway")
  expect((await marta.request({ path: "/admin/gateways/paypal" })).status).toBe(404)
})

const PATH = "/admin/gateways/offshore"
const sendTest = (who: ConsoleVisitor, reason = "after the move") =>
  actOnPage(who, PATH, { form: { action: "test-callback", reason } })

/** The answers that the shop's public address gives from now on, and what was sent there. */
function answering(answer: Partial<CallbackAnswer>) {
  const sent: [url: string, headers: Readonly<Record<string, string>>][] = []
  Object.assign(consoleOf(shop.services), {
    postCallback: async (url: string, { headers }: SignedCallback): Promise<CallbackAnswer> => {
      sent.push([url, headers])
      return { status: null, isShop: false, location: null, problem: null, isCertificate: false, ...answer }
    },
  })
  return sent
}

test("support sends a test callback to the public address, and the page says what it has met", async () => {
  const support = await enrolled(shop, "support")
  const sent = answering({ status: 204, isShop: true })
  expect(await text(PATH)).toContain("None was sent")
  expect((await sendTest(support)).status).toBe(303)
  expect(sent).toEqual([
    ["https://shop.test/checkout/api/payments/offshore/callback", { "x-test": "offshore" }],
  ])
  const at = localText(shop.services.now(), "UTC")
  expect(await text(PATH)).toContain(`${at}: Reached. The shop has accepted the signature.`)
  answering({ problem: "connection refused" })
  await sendTest(support)
  expect(await text(PATH)).toContain("Not reachable from the shop itself: connection refused. Many networks")
  expect(await text("/admin/audit")).toContain("after the move")
})

test("a redirect to an address with HTML in it is shown as text", async () => {
  const support = await enrolled(shop, "support")
  answering({ status: 302, location: "https://x.test/<script>alert(1)</script>" })
  await sendTest(support)
  const page = await text(PATH)
  expect(page).toContain("&lt;script&gt;alert(1)")
  expect(page).not.toContain("<script>alert(1)")
})

test("a test callback needs a reason, and is not for a viewer", async () => {
  const support = await enrolled(shop, "support")
  const sent = answering({ status: 204, isShop: true })
  const refused = await sendTest(support, " ")
  expect([refused.status, await refused.text()]).toEqual([
    422,
    expect.stringContaining("Please give a reason."),
  ])
  expect(await text(PATH)).not.toContain("test-callback")
  const form = { action: "test-callback", reason: "x", key: await keyOfOwnSession(marta) }
  expect((await marta.request({ path: PATH, form })).status).toBe(422)
  expect(sent).toEqual([])
})

test("a gateway of the billing system says that it gets no callbacks", async () => {
  const support = await enrolled(shop, "support")
  const sent = answering({ status: 204, isShop: true })
  Object.assign(shop.gateway.gateway, { testCallback: null })
  await sendTest(support)
  expect(await text(PATH)).toContain("it sends no callbacks")
  expect(sent).toEqual([])
})

test("a gateway is asked when an operator wants it, with the findings of the command line", async () => {
  const unasked = await text(PATH)
  expect(unasked).toContain("Check it now")
  expect(unasked).not.toContain("forged callback")
  expect(shop.gateway.requests).toEqual([])
  shop.gateway.gateway.parseCallback = () => {
    throw new UntrustedCallbackError("signature")
  }
  shop.gateway.fail(new GatewayError("refused", "401", { refusesKey: true }))
  const checked = await text(`${PATH}?check=now`)
  expect(shop.gateway.requests).toHaveLength(1)
  expect(checked).toContain("<strong>reachable</strong><p>API KEY REJECTED: check its settings</p>")
  expect(checked).toContain("<strong>forged callback</strong><p>rejected (ok)</p>")
  expect(checked).toContain("<strong>last update</strong><p>none</p>")
})

test("a gateway whose secrets are of no use says that it accepts a forged callback", async () => {
  shop.gateway.gateway.parseCallback = () => ({ paymentId: "p", attemptId: "a" })
  expect(await text(`${PATH}?check=now`)).toContain("ACCEPTED: check its secrets")
})
