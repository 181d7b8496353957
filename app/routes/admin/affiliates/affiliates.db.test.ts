import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { DAY } from "~/domain/calendar"
import { actOnPage, type ConsoleVisitor, enrolled } from "../../../../tests/fixtures/console"
import { buy, buyPlan } from "../../../../tests/fixtures/purchase"
import { openShopOn, type ShopOnEngine } from "../../../../tests/fixtures/shop-on-engine"
import { engines } from "../../../../tests/fixtures/temporary-database"
import type { TestShop } from "../../../../tests/fixtures/test-shop"

const PATH = "/admin/affiliates"

describe.each(engines)("affiliates of operators on %s", (engine) => {
  let opened: ShopOnEngine
  let shop: TestShop
  let owner: ConsoleVisitor
  beforeEach(async () => {
    opened = await openShopOn(engine)
    shop = opened.shop
    owner = await enrolled(shop, "owner")
  })
  afterEach(() => opened.close())

  const text = async (who: ConsoleVisitor, path: string) => (await who.request({ path })).text()
  const dayOf = (ago: number) => new Date(shop.services.now() - ago * DAY).toISOString().slice(0, 10)
  const click = (affiliateId: string, visitor: string, ago = 0) =>
    shop.services.billing.recordClick({
      affiliateId,
      visitor,
      day: dayOf(ago),
      referer: null,
      at: shop.services.now() - ago * DAY,
    })
  const cells = (page: string) => [...page.matchAll(/data-label="[^"]+">([^<]*)</g)].map((it) => it[1])

  test("the list has clicks, orders, paid orders and paid amounts of the last 30 days, or of the days in the address", async () => {
    await click("12", "ana")
    await click("12", "ben", 29)
    await click("12", "cleo", 30)
    await buyPlan(shop, { affiliateId: "12" })
    await buy(shop, { affiliateId: "12", key: "draft-2" })
    await buyPlan(shop, { key: "draft-3" })
    expect(cells(await text(owner, PATH))).toEqual(["2", "2", "1", "€98.90"])
    expect(cells(await text(owner, `${PATH}?from=${dayOf(30)}`))).toEqual(["3", "2", "1", "€98.90"])
    expect(cells(await text(owner, `${PATH}?from=${dayOf(30)}&to=${dayOf(2)}`))).toEqual(["2", "0", "0", ""])
  })

  test("the page has a link as an affiliate gets it, and says which numbers it takes", async () => {
    const shown = await text(owner, PATH)
    expect(shown).toContain("https://shop.test/checkout/?aff_id=7")
    expect(shown).toContain("any number of up to nine digits")
  })

  test.each(["from=yesterday", "from=2026-02-30", "from=2030-01-02&to=2030-01-01", "to=x"])(
    "with %s the last 30 days are shown, and the page says so",
    async (query) => {
      await click("12", "ana")
      const shown = await text(owner, `${PATH}?${query}`)
      expect(shown).toContain("These days are not valid.")
      expect(shown).toContain(`value="${dayOf(29)}"`)
    },
  )

  test("the list is read by key, both ways, each affiliate once", async () => {
    for (const id of ["3", "12", "7"]) await click(id, "ana")
    await buy(shop, { affiliateId: "5" })
    await buy(shop, { affiliateId: "7", key: "draft-2" })
    const span = { firstDay: dayOf(1), lastDay: dayOf(0), from: 0, until: shop.services.now() + DAY }
    const ids = async (range: { after?: string; before?: string; limit: number }) =>
      (await shop.billing.operator.listAffiliates({ span, ...range })).map(({ id }) => id)
    expect(await ids({ limit: 9 })).toEqual(["12", "3", "5", "7"])
    expect(await ids({ limit: 2, after: "12" })).toEqual(["3", "5"])
    expect(await ids({ limit: 2, before: "7" })).toEqual(["5", "3"])
    for (let nth = 0; nth < 50; nth++) await click(`2${String(nth).padStart(2, "0")}`, "ana")
    const first = await text(owner, PATH)
    const next =
      /<a class="button" href="([^"]+)" rel="next"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? ""
    const second = await text(owner, next.replace("/checkout", ""))
    expect([...second.matchAll(/admin\/affiliates\/(\d+)\?/g)].map((it) => it[1])).toEqual([
      "249",
      "3",
      "5",
      "7",
    ])
    expect(second).toMatch(/rel="prev"/)
  })

  test("the page of an affiliate has its figures and links to its orders only", async () => {
    await click("12", "ana")
    const order = await buyPlan(shop, { affiliateId: "12" })
    const other = await buyPlan(shop, { affiliateId: "13", key: "draft-2" })
    const shown = await text(owner, `${PATH}/12`)
    expect(shown).toContain("<dt>Clicks</dt><dd>1</dd>")
    expect(shown).toContain("<dt>Paid amounts</dt><dd>€98.90</dd>")
    expect(shown).toContain(`href="/checkout/admin/orders/${order.id}"`)
    expect(shown).not.toContain(other.id)
    expect(await text(owner, `${PATH}/12?to=${dayOf(2)}`)).toContain("No orders in these days.")
  })

  test("an affiliate that never had a click or an order has no page", async () => {
    await click("12", "ana")
    for (const id of ["13", "1", "x'--"])
      expect((await owner.request({ path: `${PATH}/${encodeURIComponent(id)}` })).status).toBe(404)
  })

  test("a viewer sees masked emails of the orders and cannot download", async () => {
    const { email } = await buyPlan(shop, { affiliateId: "12" })
    const viewer = await enrolled(shop, "viewer")
    expect(await text(owner, `${PATH}/12`)).toContain(email)
    const shown = await text(viewer, `${PATH}/12`)
    expect([shown.includes(email), shown.includes(`${email[0]}…@`)]).toEqual([false, true])
    expect(await text(viewer, PATH)).not.toContain("export-affiliates")
    const answer = await actOnPage(viewer, PATH, { form: { action: "export-affiliates", reason: "x" } })
    expect([answer.status, answer.headers.has("content-disposition")]).toEqual([422, false])
  })

  test("the file has the days of the page, no id is a formula, and the audit log has who wrote it", async () => {
    await click("=1+1", "ana")
    await click("12", "ana", 40)
    await buyPlan(shop, { affiliateId: "12" })
    const form = { action: "export-affiliates", reason: "payout" }
    const answer = await actOnPage(owner, `${PATH}?from=${dayOf(40)}`, { form })
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="affiliates.csv"')
    const [head, ...rows] = (await answer.text()).trim().split("\r\n")
    expect(head).toContain("affiliate,clicks,orders,paid,amount EUR,amount GBP,amount USD")
    expect(rows.toSorted()).toEqual(["'=1+1,1,0,0,,,", "12,1,1,1,98.90,,"])
    const [entry] = await shop.billing.auditLog.newest({ limit: 1 })
    expect(entry).toMatchObject({ action: "export-affiliates", reason: "payout", outcome: "done" })
  })

  test("without a reason nothing is downloaded", async () => {
    const answer = await actOnPage(owner, PATH, { form: { action: "export-affiliates", reason: " " } })
    expect([answer.status, (await answer.text()).includes("Write down why.")]).toEqual([422, true])
  })
})
