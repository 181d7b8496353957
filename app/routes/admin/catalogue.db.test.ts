import { afterEach, beforeEach, expect, test } from "vitest"
import { actOnPage, type ConsoleVisitor, enrolled, hiddenFieldsIn } from "../../../tests/fixtures/console"
import { buyPlan } from "../../../tests/fixtures/purchase"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"

const PATH = "/admin/catalogue"
const YEAR = `${PATH}/products/3`

let shop: TestShop
let owner: ConsoleVisitor
beforeEach(async () => {
  shop = await openTestShop()
  owner = await enrolled(shop, "owner")
})
afterEach(() => shop.billing.close())

const text = async (who: ConsoleVisitor, path: string) => (await who.request({ path })).text()
const plans = () => shop.services.billing.plans()
const year = async () => (await plans()).find(({ id }) => id === "3")

/** What the form of a page sends, as it is shown. */
async function shownIn(path: string): Promise<Record<string, string>> {
  const page = await text(owner, path)
  const form = page.split("<form").find((it) => it.includes('value="edit-catalogue"')) ?? ""
  const inputs = [...form.matchAll(/<input[^>]* name="([^"]+)"[^>]*>/g)].flatMap(([input, name = ""]) => {
    if (input.includes('type="checkbox"') && !input.includes("checked")) return []
    return [[name, /value="([^"]*)"/.exec(input)?.[1] ?? ""] as const]
  })
  const selects = [...form.matchAll(/<select[^>]* name="([^"]+)"[^>]*>(.*?)<\/select>/gs)].map(
    ([, name = "", options = ""]) => {
      const [, attributes = "", own = ""] = /<option([^>]*) selected=""[^>]*>([^<]*)/.exec(options) ?? []
      return [name, /value="([^"]*)"/.exec(attributes)?.[1] ?? own] as const
    },
  )
  return Object.fromEntries([...inputs, ...selects])
}

/** Posts the form of a page with other values. */
async function changed(path: string, fields: Record<string, string>) {
  const { password: _, code: __, ...form } = await shownIn(path)
  return owner.request({ path, form: { ...form, reason: "a sale", ...fields } })
}

test("the page names the products in their order with prices, options, terms and whether they are offered", async () => {
  const page = await text(owner, PATH)
  const rows = page.split("<tr").filter((it) => it.includes("/catalogue/products/"))
  expect(rows.map((it) => /products\/(\w+)"/.exec(it)?.[1]).slice(0, 3)).toEqual(
    (await plans()).map(({ id }) => id),
  )
  const row = rows.find((it) => it.includes("products/3")) ?? ""
  for (const part of ["EUR annually", ">offered<", "what was paid"]) expect(row).toContain(part)
  expect(page).toContain("The products were not changed yet.")
})

test("an owner changes a price: the checkout has it at once, and the version says who, why and what", async () => {
  const before = (await year())?.pricing
  const answer = await changed(YEAR, { "price.EUR.annually": "98,50" })
  expect([answer.status, answer.headers.get("location")]).toEqual([303, `/checkout${YEAR}?done`])
  expect((await year())?.pricing).toEqual({ ...before, EUR: { ...before?.EUR, annually: 9_850 } })
  const list = await text(owner, PATH)
  for (const part of [owner.email, "a sale", "/catalogue/versions/2"]) expect(list).toContain(part)
  expect(await text(owner, `${PATH}/versions/2`)).toMatch(/price EUR annually [\d.]+ → 98\.50/)
  const [entry] = await shop.billing.auditLog.newest({ limit: 1, subject: "product 3" })
  expect(entry).toMatchObject({ action: "edit-catalogue", reason: "a sale", operator: owner.email })
  expect(JSON.stringify(entry)).toContain("98.50")
})

test("a change is taken back with a reason, as a new version; orders and promotions stay", async () => {
  const order = await buyPlan(shop)
  const before = await plans()
  const { promotions } = await shop.billing.operator.exportCatalogue()
  await changed(YEAR, { "price.EUR.annually": "1.00" })
  const first = `${PATH}/versions/1`
  const unreasoned = await actOnPage(owner, first, { form: { action: "take-back-catalogue", reason: "" } })
  expect([unreasoned.status, await unreasoned.text()]).toEqual([
    422,
    expect.stringContaining("Write down why."),
  ])
  const answer = await actOnPage(owner, first, { form: { action: "take-back-catalogue", reason: "a typo" } })
  expect([answer.status, answer.headers.get("location")]).toEqual([303, `/checkout${PATH}/versions/3`])
  expect(await plans()).toEqual(before)
  expect((await shop.billing.operator.exportCatalogue()).promotions).toEqual(promotions)
  expect(await shop.services.billing.order(order.id)).toMatchObject({ total: order.total })
  expect(await text(owner, first)).toContain("Nothing: the products are like this.")
})

test("what breaks the rules of the file is refused in words, with the form filled in", async () => {
  const before = await plans()
  const answer = await changed(YEAR, {
    name: " ",
    "price.EUR.annually": "much",
    graceDays: "1.5",
    trialHours: "9999",
  })
  const page = await answer.text()
  expect(answer.status).toBe(422)
  for (const part of [
    "Name is empty",
    "Price EUR annually is not a number",
    "is not a whole number",
    "is above",
  ])
    expect(page).toContain(part)
  expect(page).toContain('value="much"')
  expect(await plans()).toEqual(before)
})

test("a form that is older than another change, without a reason or without a difference saves nothing", async () => {
  const old = await shownIn(YEAR)
  await changed(YEAR, { name: "Year" })
  const late = await owner.request({ path: YEAR, form: { ...old, name: "Late", reason: "late" } })
  expect([late.status, await late.text()]).toEqual([422, expect.stringContaining("has changed since")])
  const unreasoned = await changed(YEAR, { name: "Other", reason: " " })
  expect([unreasoned.status, (await year())?.name]).toEqual([422, "Year"])
  expect(await (await changed(YEAR, {})).text()).toContain("like that already")
})

test("order, visibility, options, renewals, grace and trial are changed by the form", async () => {
  const { options: _, ...form } = await shownIn(YEAR)
  const fields = { position: "1", hidden: "on", renewalPrice: "current", graceDays: "7", trialHours: "24" }
  const answer = await owner.request({ path: YEAR, form: { ...form, ...fields, reason: "terms" } })
  expect(answer.status).toBe(303)
  expect((await plans())[0]).toMatchObject({
    id: "3",
    isHidden: true,
    options: [],
    renewalPrice: "current",
    graceDays: 7,
    trialHours: 24,
  })
})

test("an option is changed for all products that have it", async () => {
  const answer = await changed(`${PATH}/options/2`, { name: "Second device" })
  expect([answer.status, answer.headers.get("location")]).toEqual([303, `/checkout${PATH}/options/2?done`])
  const names = (await plans()).flatMap(({ options }) => options.filter(({ id }) => id === "2"))
  expect([...new Set(names.map(({ name }) => name))]).toEqual(["Second device"])
})

test("the preview shows the checkout with what is typed, in a chosen language and currency, and saves nothing", async () => {
  const before = await plans()
  const answer = await changed(YEAR, {
    "price.EUR.annually": "45.67",
    "price.GBP.annually": "34.56",
    preview: "on",
    password: "my secret",
    code: "123456",
    reason: "",
  })
  const address = answer.headers.get("location")?.replace("/checkout", "") ?? ""
  expect([answer.status, address]).toEqual([303, expect.stringContaining(`${PATH}/preview?`)])
  for (const part of ["secret", "123456", "key="]) expect(address).not.toContain(part)
  const page = await text(owner, address)
  for (const part of ["Nothing is saved", "45.67"]) expect(page).toContain(part)
  const german = await text(owner, `${address}&locale=de-de&currency=GBP`)
  for (const part of ['lang="de-DE"', "34,56"]) expect(german).toContain(part)
  const back = /href="\/checkout(\/admin\/catalogue\/products\/3\?[^"]+)"/.exec(page)?.[1] ?? ""
  expect(await text(owner, back.replaceAll("&amp;", "&"))).toContain('value="45.67"')
  expect(await plans()).toEqual(before)
  expect(await shop.billing.catalogue?.versions({ limit: 1 })).toEqual([])
})

test("a reseller plan is shown in the resellers' checkout", async () => {
  const answer = await changed(`${PATH}/products/11`, { "price.EUR.monthly": "47.11", preview: "on" })
  const address = answer.headers.get("location")?.replace("/checkout", "") ?? ""
  const page = await text(owner, address)
  for (const part of ["Nothing is saved", "47.11", "Reseller 25"]) expect(page).toContain(part)
})

test("what could not be saved has no preview, and says why", async () => {
  const answer = await changed(YEAR, { "price.EUR.annually": "much", preview: "on" })
  const address = answer.headers.get("location")?.replace("/checkout", "") ?? ""
  const shown = await owner.request({ path: address })
  expect([shown.status, await shown.text()]).toEqual([
    422,
    expect.stringContaining("Price EUR annually is not a number"),
  ])
})

test("support looks at the catalogue and changes nothing", async () => {
  const support = await enrolled(shop, "support")
  const page = await text(support, YEAR)
  expect(hiddenFieldsIn(page, "edit-catalogue")).toEqual({})
  const { key = "" } = hiddenFieldsIn(
    await text(support, "/admin/promotions/WELCOME10"),
    "switch-off-promotion",
  )
  const form = { ...(await shownIn(YEAR)), key, name: "Mine", reason: "mine" }
  const answer = await support.request({ path: YEAR, form })
  expect([answer.status, await answer.text()]).toEqual([
    422,
    expect.stringContaining("Your role may not do this."),
  ])
  expect((await year())?.name).not.toBe("Mine")
})

test("with an external billing the page only names the products, and says where to change them", async () => {
  const { console: own } = shop.services
  if (own) Object.assign(own, { catalogue: null })
  const page = await text(owner, PATH)
  expect(page).toContain("Your billing system has the products")
  expect(page).toContain("12 months (3)")
  expect(page).not.toContain("/catalogue/products/")
  for (const path of [YEAR, `${PATH}/options/2`, `${PATH}/versions/1`, `${PATH}/preview?product=3&name=x`])
    expect([path, (await owner.request({ path })).status]).toEqual([path, 404])
})
