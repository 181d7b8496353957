import { afterEach, beforeEach, expect, test } from "vitest"
import { HOUR } from "~/domain/calendar"
import { localText } from "~/domain/local-time"
import { availableGateways } from "~/flows/payments/available-gateways.server"
import { changeGateway } from "~/flows/payments/change-gateway.server"
import { actOnPage, type ConsoleVisitor, enrolled } from "../../../tests/fixtures/console"
import { buy, pay } from "../../../tests/fixtures/purchase"
import { choice, openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"

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
  expect(await rowOf("offshore")).toContain("Answers")
  const answered = shop.services.now() - 2 * HOUR
  const since = shop.services.now() - HOUR
  shop.gateway.isDegraded(true, { downSince: since, lastSuccessAt: answered })
  const row = await rowOf("offshore")
  expect(row).toContain(`Does not answer since ${localText(since, "UTC")}`)
  expect(row).toContain(localText(answered, "UTC"))
  expect(row).toContain('href="/checkout/admin/orders?status=awaiting-payment&amp;gateway=offshore">1</a>')
  expect(await rowOf("coinbase")).toContain("Answers")
  const overview = await text("/admin")
  expect(overview).toContain('<a href="/checkout/admin/gateways">A gateway does not answer</a>')
  expect(overview).toContain("1 h<")
})

const offeredIds = async () => (await availableGateways(shop.services, "en-en")).map(({ id }) => id)

test("support drains a gateway while a payment is open there, which is finished, and offers it again", async () => {
  const support = await enrolled(shop, "support")
  const path = "/admin/gateways/offshore"
  const { order } = await buy(shop)
  const drained = await actOnPage(support, path, {
    form: { action: "drain-gateway", reason: "their outage" },
  })
  expect([drained.status, drained.headers.get("location")]).toEqual([303, `/checkout${path}?done`])
  expect(await offeredIds()).toEqual(["coinbase"])
  expect(await rowOf("offshore")).toContain("Drained: finishes its payments")
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
