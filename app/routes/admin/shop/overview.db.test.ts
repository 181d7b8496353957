import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { ConsoleOverview } from "~/billing/console-overview"
import { DAY, daysAfter, MINUTE } from "~/domain/calendar"
import { TaxFile } from "~/domain/tax/tax-file"
import { openNeeds } from "~/flows/admin/shop/show-overview.server"
import { enrolled, formKeyIn } from "../../../../tests/fixtures/console"
import { buy, buyPlan } from "../../../../tests/fixtures/purchase"
import { respond } from "../../../../tests/fixtures/shop-router"
import { germanTax } from "../../../../tests/fixtures/tax-rules"
import { openTestShop, type TestShop } from "../../../../tests/fixtures/test-shop"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())

async function held() {
  const { order } = await buy(shop, { key: `held ${shop.services.newId()}` })
  await shop.billing.billing.fraudOrder(order.id, "blocked country XK", shop.services.now())
  shop.wait(MINUTE)
  return order
}

describe("the overview", () => {
  test("names the time zone of its times, as every page does", async () => {
    const marta = await enrolled(shop, "owner")
    const { services } = shop
    shop = { ...shop, services: { ...services, shop: { ...services.shop, timeZone: "Europe/Berlin" } } }
    const zoned = await respond(shop.services, {
      path: "/admin",
      headers: { cookie: `console=${marta.token}` },
    })
    expect(await zoned.text()).toContain("Times are those of the time zone Europe/Berlin.")
    expect(await (await marta.request({ path: "/admin/orders" })).text()).toContain("time zone UTC.")
  })

  test("has the search for orders and the menu by what its pages are for, as every page", async () => {
    const marta = await enrolled(shop, "owner")
    const order = await buyPlan(shop)
    for (const path of ["/admin", "/admin/settings"]) {
      const page = await (await marta.request({ path })).text()
      expect(page).toMatch(
        /<form class="find" action="\/checkout\/admin\/orders" method="get"><input type="search"/,
      )
      expect(page).toMatch(/<ul aria-label="Money">.*Gateways.*Accounting.*<ul aria-label="Technology">/s)
    }
    const found = await marta.request({ path: `/admin/orders?q=${order.id}` })
    expect(found.headers.get("location")).toBe(`/checkout/admin/orders/${order.id}`)
  })

  test("says what was checked when nothing needs a person", async () => {
    const marta = await enrolled(shop, "owner")
    const page = await (await marta.request({ path: "/admin" })).text()
    expect(page).toMatch(
      /Everything is fine\.<.*What is checked<.*<li>Buyers can pay<\/li><li>Every paid order has its access</s,
    )
    expect(page).toContain("Orders paid today")
    expect(page).toContain('rel="icon" href="/checkout/favicon.svg"')
  })

  test("names the currencies whose exchange rate is missing, until the rules of tax have one that holds today", async () => {
    const pounds = { base: "EUR", quote: "GBP", rate: "0.8735", from: "2026-11-21" } as const
    const dollars = { base: "EUR", quote: "USD", rate: "1.16", from: "2026-11-01" } as const
    const accounting: TaxFile["accounting"] = { currency: "EUR", exchangeRates: [pounds, dollars] }
    const taxFile = TaxFile.parse({ country: "DE", confirmedOn: "2026-11-01", accounting })
    await shop.billing.close()
    shop = await openTestShop({ taxFile, tax: germanTax })
    const marta = await enrolled(shop, "owner")
    const page = await (await marta.request({ path: "/admin" })).text()
    expect(page).toContain("No exchange rate for today")
    expect(page).toContain("GBP: invoices are issued without their tax in the accounting currency.")
    expect(page).toContain('href="/checkout/admin/tax/rules"')
    shop.wait(DAY)
    const jonas = await enrolled(shop, "support")
    expect(await (await jonas.request({ path: "/admin" })).text()).toContain("No exchange rate is missing")
  })

  test("lists an order on hold, which one operator takes and another sees as taken", async () => {
    const [marta, jonas] = [await enrolled(shop, "owner"), await enrolled(shop, "support")]
    const { id } = await held()
    const page = await (await marta.request({ path: "/admin" })).text()
    expect(page).toContain("Order on hold")
    expect(page).toContain(`Order ${id} · €`)
    expect(page).toContain(`href="/checkout/admin/orders/${id}"`)
    expect((await marta.request({ path: `/admin/orders/${id}` })).status).toBe(200)
    const stale = await (await jonas.request({ path: "/admin" })).text()
    const need = `order ${id}`
    const take = (visitor: typeof marta, from: string) =>
      visitor.request({ path: "/admin", form: { intent: "take", need, key: formKeyIn(from, need) } })
    expect((await take(marta, page)).status).toBe(303)
    expect(await (await marta.request({ path: "/admin" })).text()).toContain("You have this")
    expect(await (await jonas.request({ path: "/admin" })).text()).toContain("owner has this")
    const late = await take(jonas, stale)
    expect([late.status, await late.text()]).toEqual([422, expect.stringContaining("taken it meanwhile")])
    const mine = await (await marta.request({ path: "/admin" })).text()
    const key = formKeyIn(mine, need)
    await marta.request({ path: "/admin", form: { intent: "leave", need, key } })
    expect(await (await jonas.request({ path: "/admin" })).text()).toContain("I’ll take this")
  })

  test("a paused endpoint is there with its page, without the path of its URL, and an operator takes it", async () => {
    const [marta, jonas] = [await enrolled(shop, "owner"), await enrolled(shop, "support")]
    const { webhooks } = shop.billing
    const url = "https://crm.example.test/hooks?key=s3cr3t"
    const endpoint = { id: "whe_1", url, description: "", subscriptions: ["*"], sealedSecret: "x" } as const
    await webhooks.addEndpoint({ ...endpoint, at: shop.services.now() })
    await webhooks.pauseEndpoint("whe_1", "gone", shop.services.now())
    const page = await (await marta.request({ path: "/admin" })).text()
    expect(page).toContain("crm.example.test: answered 410. Its events are kept for 90 days.")
    expect(page).not.toContain("s3cr3t")
    expect(page).toContain('href="/checkout/admin/webhooks/whe_1"')
    expect((await marta.request({ path: "/admin/webhooks/whe_1" })).status).toBe(200)
    const need = "webhook whe_1"
    const form = { intent: "take", need, key: formKeyIn(page, need) }
    expect((await marta.request({ path: "/admin", form })).status).toBe(303)
    expect(await (await jonas.request({ path: "/admin" })).text()).toContain("owner has this")
  })

  test("a viewer sees it, without buttons, and a form of the viewer's own is refused", async () => {
    const viewer = await enrolled(shop, "viewer")
    const { id } = await held()
    const page = await (await viewer.request({ path: "/admin" })).text()
    expect(page).toContain("Order on hold")
    expect(page).not.toContain("I’ll take this")
    const account = await (await viewer.request({ path: "/admin/account" })).text()
    const form = { intent: "take", need: `order ${id}`, key: formKeyIn(account, "codes") }
    const refused = await viewer.request({ path: "/admin", form })
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringContaining("Your role may not do this."),
    ])
    const entries = await shop.billing.auditLog.newest({ limit: 1 })
    expect(entries).toMatchObject([{ action: "take-need", outcome: "failed" }])
  })

  test("leads from every figure to the list that it counts", async () => {
    const marta = await enrolled(shop, "owner")
    const paid = await buyPlan(shop)
    const { id } = await held()
    const page = await (await marta.request({ path: "/admin" })).text()
    const links = [...page.matchAll(/<p class="figure"><a href="\/checkout([^"]+)">/g)]
    const lists = links.map(([, path = ""]) => path.replaceAll("&amp;", "&"))
    expect(lists).toHaveLength(2)
    for (const path of lists) {
      const list = await (await marta.request({ path })).text()
      expect([list.includes(`>${paid.id}<`), list.includes(`>${id}<`)]).toEqual([true, false])
    }
    const [, onHold = ""] = /<a href="\/checkout([^"]+)">Order on hold/.exec(page) ?? []
    expect(await (await marta.request({ path: onHold })).text()).toContain(`>${id}<`)
  })

  test("shows the orders of the day and what a week ago had by this time", async () => {
    const marta = await enrolled(shop, "owner")
    await buyPlan(shop, { key: "last week" })
    shop.wait(7 * DAY)
    for (const key of ["one", "two"]) await buyPlan(shop, { key })
    shop.wait(MINUTE)
    const again = await marta.signIn({ code: marta.nextCode() })
    marta.token = again.headers.getSetCookie()[0]?.split(/[=;]/)[1] ?? null
    const page = await (await marta.request({ path: "/admin" })).text()
    expect(page).toMatch(
      /Orders paid today<\/h2><p class="figure"><a href="[^"]+">2<\/a><\/p><p>1 by this time a week ago/,
    )
    expect(page).toMatch(/Received today, EUR<\/h2><p class="figure"><a href="[^"]+">€[\d.]+<\/a><\/p>/)
    expect(page).toContain('<th scope="row">12:00</th><td class="number">2</td><td class="number">1</td>')
  })

  test.each([
    ["a day of 23 hours", "2027-03-28", "+02:00", "+01:00"],
    ["a day of 25 hours", "2027-10-31", "+01:00", "+02:00"],
  ])(
    "counts %s by the hours of the shop's clock, and up to the same time a week ago",
    async (_, day, offset, before) => {
      shop = {
        ...shop,
        services: { ...shop.services, shop: { ...shop.services.shop, timeZone: "Europe/Berlin" } },
      }
      const at = (text: string) => shop.wait(Date.parse(text) - shop.services.now())
      const lastWeek = daysAfter(day, -7)
      for (const [key, time] of [
        ["earlier", "10:30"],
        ["later", "11:30"],
      ] as const) {
        at(`${lastWeek}T${time}:00${before}`)
        await buyPlan(shop, { key })
      }
      at(`${day}T10:30:00${offset}`)
      await buyPlan(shop, { key: "today" })
      shop.wait(MINUTE)
      const marta = await enrolled(shop, "owner")
      const page = await (await marta.request({ path: "/admin" })).text()
      expect(page).toContain('<th scope="row">10:00</th><td class="number">1</td><td class="number">1</td>')
      expect(page).toContain('<th scope="row">11:00</th><td class="number">0</td><td class="number">1</td>')
      expect(page).toContain("1 by this time a week ago")
    },
  )

  test.each([
    ["in the last hour of a day of 25 hours", "2027-10-31T22:30:00Z", "2027-10-30"],
    ["in the first hour after a day of 23 hours", "2027-03-28T22:30:00Z", "2027-03-28"],
  ])("lists rejected callbacks since yesterday, also %s", async (_, now, yesterday) => {
    let asked: string | undefined
    const overview: ConsoleOverview = {
      ...shop.billing.overview,
      async needs(query) {
        asked = query.yesterday
        return []
      },
    }
    const query = { now: Date.parse(now), down: [], enabledGateways: [], unknownShopFields: [] }
    await openNeeds({ overview, timeZone: "Europe/Berlin" }, { ...query, currenciesWithoutRate: [] })
    expect(asked).toBe(yesterday)
  })
})
