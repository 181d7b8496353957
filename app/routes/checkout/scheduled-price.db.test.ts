import { afterEach, beforeEach, expect, test } from "vitest"
import { emptySession } from "~/context/session.server"
import { decodeSession } from "~/context/session-cookie.server"
import { MINUTE } from "~/domain/calendar"
import { placeOrder } from "~/flows/checkout/place-order.server"
import { buy, request } from "../../../tests/fixtures/purchase"
import { schedulePrices } from "../../../tests/fixtures/schedule-prices"
import { respond, type Visit } from "../../../tests/fixtures/shop-router"
import { choice, openTestShop, type TestShop, TOTAL } from "../../../tests/fixtures/test-shop"

const DEARER = TOTAL + 10_00

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
  await schedulePrices(shop, { from: shop.services.now() + MINUTE, price: 89_00 })
})
afterEach(() => shop.billing.close())

const form = {
  plan: "3",
  extraConnection: "on",
  email: choice.email,
  gateway: "offshore",
  promoCode: "",
  intent: "pay",
  shown: `${TOTAL}EUR`,
}

/** Answers a request, with the session that the browser has afterwards. */
async function press(visit: Visit) {
  const response = await respond(shop.services, visit)
  const [, cookie] = response.headers
    .getSetCookie()
    .join("; ")
    .split(/(?:^|; )checkout=/)
  const session = cookie
    ? decodeSession(shop.services.sessionSeal, cookie.split(";", 1)[0], shop.services.now())
    : null
  return { location: response.headers.get("location"), session, text: await response.text() }
}
const fresh = () => ({ ...emptySession, sealedAt: shop.services.now() })

test("a buyer between checkout and review when the instant passes reads that the price has changed", async () => {
  const { session } = await press({ path: "/", form, session: fresh() })
  const review = () => press({ path: "/creatingOrder.data", session: session ?? fresh() })
  expect((await review()).text).not.toContain('"price-changed"')
  shop.wait(MINUTE)
  const { text } = await review()
  expect([text.includes(String(DEARER)), text.includes('"price-changed"')]).toEqual([true, true])
})

test("a buyer who has the checkout open when the instant passes is asked on the review", async () => {
  shop.wait(MINUTE)
  const { session } = await press({ path: "/", form, session: fresh() })
  const { text } = await press({ path: "/creatingOrder.data", session: session ?? fresh() })
  expect(text).toContain('"price-changed"')
})

test("an order of the last moment is placed at the price that was agreed to; one of the next is asked about", async () => {
  shop.wait(MINUTE - 1)
  expect((await buy(shop)).order.total.minor).toBe(TOTAL)
  shop.wait(1)
  expect(await placeOrder(shop.services, request({ key: "draft-2" }))).toMatchObject({
    kind: "price-changed",
    quote: { total: { minor: DEARER } },
  })
})

test("checkout page and automatic link have the scheduled price from one moment to the next", async () => {
  const pageHas = async () => (await press({ path: "/_root.data" })).text.includes("8900")
  expect(await pageHas()).toBe(false)
  shop.wait(MINUTE)
  expect(await pageHas()).toBe(true)
  const link = `/?email=${encodeURIComponent(choice.email)}&pid=3&auto_redirect=true`
  const { session } = await press({ path: link, session: fresh() })
  const order = await shop.billing.billing.order(session?.orderId ?? "")
  expect(order?.total.minor).toBe(89_00)
})
