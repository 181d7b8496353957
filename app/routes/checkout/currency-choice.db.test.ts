import { afterEach, beforeEach, expect, test } from "vitest"
import { emptySession } from "~/context/session.server"
import { decodeSession } from "~/context/session-cookie.server"
import { buy } from "../../../tests/fixtures/purchase"
import { respond, type Visit } from "../../../tests/fixtures/shop-router"
import { choice, openTestShop, type TestShop, TOTAL } from "../../../tests/fixtures/test-shop"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())

const form = {
  plan: "3",
  extraConnection: "on",
  email: choice.email,
  gateway: "coinbase",
  promoCode: "",
  intent: "currency-GBP",
}

/** Answers a request, with the session that the browser has afterwards. */
async function press(visit: Partial<Visit>) {
  const response = await respond(shop.services, { path: "/", form, ...visit })
  return { status: response.status, location: response.headers.get("location"), session: sessionIn(response) }
}

function sessionIn(response: Response) {
  const [, cookie] = response.headers
    .getSetCookie()
    .join("; ")
    .split(/(?:^|; )checkout=/)
  return cookie
    ? decodeSession(shop.services.sessionSeal, cookie.split(";", 1)[0], shop.services.now())
    : null
}

const draft = { key: "draft-1", total: TOTAL }

test("a chosen currency lasts, keeps what was filled in and needs the review again", async () => {
  const before = { ...emptySession, sealedAt: shop.services.now(), currency: "EUR" as const, draft }
  expect(await press({ path: "/de-de", session: before })).toMatchObject({
    status: 303,
    location: "/checkout/de-de",
    session: {
      currency: "GBP",
      draft: null,
      choices: {
        plan: "3",
        extraConnection: true,
        email: choice.email,
        gateway: "coinbase",
        promoCode: null,
      },
    },
  })
})

test.each([
  ["9890EUR", true],
  ["8640GBP", false],
  // Without script the form has the prices of the page.
  ["EUR 1:1200:300: 3:7900:1990:", true],
  ["GBP 3:6900:1740:", false],
  ["GBP 3:6500:1740:", true],
])(
  "the review of a form that showed %s, in pounds by then, says that the price has changed: %s",
  async (shown, asks) => {
    const session = { ...emptySession, sealedAt: shop.services.now(), currency: "GBP" as const }
    const pressed = await press({ form: { ...form, intent: "pay", shown }, session })
    expect(pressed).toMatchObject({ status: 303, location: "/checkout/creatingOrder" })
    const review = await respond(shop.services, {
      path: "/creatingOrder.data",
      session: pressed.session ?? undefined,
    })
    const text = await review.text()
    expect([text.includes("8640"), text.includes('"price-changed"')]).toEqual([true, asks])
  },
)

test("an extra that was withdrawn while the page was open, without script, is asked about on the review", async () => {
  const withoutExtras = async () => (await shop.billing.billing.plans()).map((it) => ({ ...it, options: [] }))
  const page = await (await respond(shop.services, { path: "/_root.data" })).text()
  const [shown = ""] = /EUR 1:[^"]+/.exec(page) ?? []
  const services = {
    ...shop.services,
    billing: { ...shop.services.billing, plans: withoutExtras },
    catalogue: { ...shop.services.catalogue, plans: withoutExtras },
  }
  const asks = async (sent: Record<string, string>) => {
    const session = { ...emptySession, sealedAt: shop.services.now() }
    const response = await respond(services, { path: "/", form: { ...sent, intent: "pay", shown }, session })
    const review = { path: "/creatingOrder.data", session: sessionIn(response) ?? undefined }
    return (await (await respond(services, review)).text()).includes('"price-changed"')
  }
  const { extraConnection: _, ...planAlone } = form
  expect([await asks(form), await asks(planAlone)]).toEqual([true, false])
})

test("a typed promo code is checked in the chosen currency, which stays", async () => {
  const refused = await press({ form: { ...form, promoCode: "NOSUCHCODE" } })
  expect(refused).toMatchObject({ status: 422, session: { currency: "GBP" } })
  const applied = await press({ form: { ...form, promoCode: "WELCOME10" } })
  expect(applied).toMatchObject({
    status: 303,
    session: { currency: "GBP", choices: { promoCode: "WELCOME10" } },
  })
})

test("a currency that nothing is sold in, or none at all, changes nothing", async () => {
  const catalogue = {
    ...shop.services.catalogue,
    plans: async () =>
      (await shop.services.billing.plans()).map(({ pricing: { EUR = {} }, ...plan }) => ({
        ...plan,
        pricing: { EUR },
      })),
  }
  const response = await respond({ ...shop.services, catalogue }, { path: "/", form })
  expect(sessionIn(response)?.currency).toBe("EUR")
  const unknown = await press({ form: { ...form, intent: "currency-XAU", email: "" } })
  // An unknown button is the first one, which validates everything.
  expect(unknown.status).toBe(400)
})

test("resellers choose a currency too", async () => {
  const resellers = { plan: "12", gateway: "offshore", existing: "no", promoCode: "", intent: "currency-USD" }
  expect(await press({ path: "/resellers", form: resellers })).toMatchObject({
    status: 303,
    location: "/checkout/resellers",
    session: { currency: "USD", choices: { kind: "reseller", plan: "12" } },
  })
})

test("an order that has been made keeps its currency", async () => {
  const { order } = await buy(shop)
  const sealedAt = shop.services.now()
  const session = { ...emptySession, sealedAt, orderId: order.id, currency: "EUR" as const }
  const pressed = await press({ session })
  expect(pressed.location).toBe("/checkout/waiting")
  expect(pressed.session?.currency ?? "EUR").toBe("EUR")
  expect((await shop.services.billing.order(order.id))?.total).toEqual(order.total)
})
