import { afterEach, describe, expect, test } from "vitest"
import { SECOND } from "~/domain/calendar"
import { pathOf } from "~/domain/orders/screen-paths"
import { getOrderProgress } from "~/flows/payments/get-order-progress.server"
import { enEn } from "~/i18n/screen-texts/en-en"
import { buy } from "../../../tests/fixtures/purchase"
import { customerSession } from "../../../tests/fixtures/session-harness"
import { respond } from "../../../tests/fixtures/shop-router"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"

let shop: TestShop
afterEach(() => shop.billing.close())

const { unpaidByMail, unpaidHere } = enEn.notice

test.each([
  ["by the link in its messages where the shop sends some", true],
  ["in its browser alone where the shop sends none", false],
])("a customer without a service reads that an unpaid order opens %s", async (_, mailsOrders) => {
  shop = await openTestShop()
  const { services } = shop
  Object.assign(services, { shop: { ...services.shop, mailsOrders } })
  const { order } = await buy(shop)
  const session = customerSession(shop, order, { orderId: null })
  const page = await (await respond(services, { path: `${pathOf.viewer.success}.data`, session })).text()
  expect([unpaidByMail, unpaidHere].map((text) => page.includes(text))).toEqual([mailsOrders, !mailsOrders])
})

test.each([
  ["by the link in its emails where the shop sends some", true],
  ["in its browser alone where the shop sends none", false],
])("the checkout of a browser without an order says that an order opens %s", async (_, mailsOrders) => {
  shop = await openTestShop()
  const { services } = shop
  Object.assign(services, { shop: { ...services.shop, mailsOrders } })
  const { elsewhereByMail, elsewhere } = enEn.notice
  const saidOn = async (path: string) => {
    const page = await (await respond(services, { path, session: {} })).text()
    return [elsewhereByMail, elsewhere].map((text) => page.includes(text))
  }
  expect(await saidOn("/_root.data?elsewhere")).toEqual([mailsOrders, !mailsOrders])
  expect(await saidOn("/_root.data")).toEqual([false, false])
})

describe("a buyer whose order was cancelled while they waited for its payment", () => {
  const { cancelled } = enEn.notice
  const { tellOrder } = enEn.unpaid

  /** Money stays with an order where account credit is external. */
  const withoutCredit = (billing: TestShop["services"]["billing"]) => ({
    ...billing,
    async order(id: string) {
      const order = await billing.order(id)
      return order && { ...order, credited: { ...order.credited, minor: 0 } }
    },
  })

  async function waitingPage({ isCreditExternal = false, support = true, cents = 0 }) {
    shop = await openTestShop()
    const { services } = shop
    const links = { ...services.shop.links, support: support ? "https://help.test" : null }
    Object.assign(services, { isCreditExternal, shop: { ...services.shop, links } })
    const { order } = await buy(shop)
    if (cents > 0) shop.gateway.reports("partially-paid", cents)
    shop.wait(5 * SECOND)
    await getOrderProgress(services, order.id)
    await services.billing.applyOrderEvent(order.id, "aborted", services.now())
    if (isCreditExternal) Object.assign(services, { billing: withoutCredit(services.billing) })
    const session = { id: "browser", sealedAt: services.now(), orderId: order.id }
    const led = await respond(services, { path: pathOf.viewer.waiting, session })
    const location = led.headers.get("location") ?? ""
    const path = location.replace("/checkout/?", "/_root.data?")
    return { order, page: await (await respond(services, { path, session })).text() }
  }

  test("reads on the checkout which one, and that a late payment counts", async () => {
    const { order, page } = await waitingPage({})
    expect(page).toContain(cancelled.meanwhile.replace("{{order}}", order.id))
    expect(page).toContain(cancelled.late)
  })

  test.each([true, false])(
    "gets in touch about a payment where billing takes it, if the shop has a contact: %s",
    async (support) => {
      const { order, page } = await waitingPage({ isCreditExternal: true, support })
      expect(page).toContain(cancelled.meanwhile.replace("{{order}}", order.id))
      expect([page.includes(tellOrder), page.includes(cancelled.late)]).toEqual([support, false])
    },
  )

  test("reads so at once if this look at the payment has cancelled it", async () => {
    shop = await openTestShop()
    const { services } = shop
    const { order } = await buy(shop)
    shop.wait(5 * SECOND)
    const offshore = services.gateways.get("offshore")
    if (!offshore) throw new Error("No gateway")
    const fetchPayment = async () => {
      await services.billing.applyOrderEvent(order.id, "aborted", services.now())
      return null
    }
    Object.assign(services, { gateways: new Map([["offshore", { ...offshore, fetchPayment }]]) })
    const session = { id: "browser", sealedAt: services.now(), orderId: order.id }
    const look = async () => (await respond(services, { path: pathOf.viewer.waiting, session })).headers
    expect((await look()).get("location")).toBe("/checkout/waiting")
    expect((await look()).get("location")).toBe("/checkout/?cancelled=meanwhile")
  })

  test("reads which one, that the part that was paid is recorded, and whom to tell, where billing takes the payments", async () => {
    const { order, page } = await waitingPage({ isCreditExternal: true, cents: 10_00 })
    expect(page).toContain(cancelled.meanwhileRecorded.replace("{{order}}", order.id))
    expect([page.includes(tellOrder), page.includes(cancelled.late)]).toEqual([true, false])
  })

  test("reads what has become of the part that was paid", async () => {
    expect((await waitingPage({ cents: 10_00 })).page).toContain(cancelled.credited)
  })
})
