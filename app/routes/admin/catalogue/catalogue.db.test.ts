import { afterEach, beforeEach, expect, test } from "vitest"
import { actOnPage, type ConsoleVisitor, enrolled, hiddenFieldsIn } from "../../../../tests/fixtures/console"
import { buy, buyPlan } from "../../../../tests/fixtures/purchase"
import { openTestShop, type TestShop } from "../../../../tests/fixtures/test-shop"

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
async function fieldsIn(path: string): Promise<[string, string][]> {
  const page = await text(owner, path)
  const form = page.split("<form").find((it) => it.includes('value="edit-catalogue"')) ?? ""
  const inputs = [...form.matchAll(/<input[^>]* name="([^"]+)"[^>]*>/g)].flatMap(([input, name = ""]) => {
    if (input.includes('type="checkbox"') && !input.includes("checked")) return []
    return [[name, /value="([^"]*)"/.exec(input)?.[1] ?? ""] as [string, string]]
  })
  const selects = [...form.matchAll(/<select[^>]* name="([^"]+)"[^>]*>(.*?)<\/select>/gs)].map(
    ([, name = "", options = ""]) => {
      const [, attributes = "", own = ""] = /<option([^>]*) selected=""[^>]*>([^<]*)/.exec(options) ?? []
      return [name, /value="([^"]*)"/.exec(attributes)?.[1] ?? own] as [string, string]
    },
  )
  return [...inputs, ...selects]
}

/** The same by name, with the last one of the options that are ticked. */
const shownIn = async (path: string): Promise<Record<string, string>> =>
  Object.fromEntries(await fieldsIn(path))

const NEW_PLAN = `${PATH}/products?list=plans`
const NEW_OPTION = `${PATH}/options`
const product = async (pid: string) => (await plans()).find(({ id }) => id === pid)

/** Posts the form of a page with other values. */
async function changed(path: string, fields: Record<string, string>) {
  const typed = { reason: "a sale", ...fields }
  const left = ["password", "code", ...Object.keys(typed)]
  const shown = (await fieldsIn(path)).filter(([name]) => !left.includes(name))
  return owner.request({ path, form: [...shown, ...Object.entries(typed)] })
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

test("the list says of a reseller plan how many credits it has, and nothing of renewals, which it has none of", async () => {
  const rows = (await text(owner, PATH)).split("<tr>")
  const row = rows.find((it) => it.includes("products/12")) ?? ""
  expect(row).toContain("25 credits")
  expect(row).not.toContain("renewals")
})

test("an owner changes a price: the checkout has it at once, and the version says who, why and what", async () => {
  const before = (await year())?.pricing
  const answer = await changed(YEAR, { "price.EUR.annually": "98,50" })
  expect([answer.status, answer.headers.get("location")]).toEqual([
    303,
    `/checkout${YEAR}?done=edit-catalogue`,
  ])
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

test("a version is compared with any other one", async () => {
  await changed(YEAR, { name: "Year" })
  await changed(YEAR, { name: "Bargain" })
  const since = (version: string) => text(owner, `${PATH}/versions/${version}`)
  expect(await since("1")).toContain("This is the first version.")
  expect(await since("3")).toMatch(/\(Year\) renamed: Bargain/)
  expect(await since("3?with=1")).toMatch(/\(12 months\) renamed: Bargain/)
  for (const unknown of ["0", "9"])
    expect((await owner.request({ path: `${PATH}/versions/3?with=${unknown}` })).status).toBe(422)
})

test("the form names a price by the words in which it is refused and its change is listed", async () => {
  const form = await text(owner, YEAR)
  for (const label of ["EUR monthly", "EUR semiannually", "EUR annually"]) expect(form).toContain(`>${label}`)
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

test("what is refused is said in the words of the page, without the names of the catalogue file", async () => {
  const form = { pid: "new-1", name: "Mine", "price.EUR.monthly": "9.99" }
  const refusal = async (path: string, fields: Record<string, string>) => {
    const answer = await changed(path, fields)
    return (/role="alert">([^<]+)/.exec(await answer.text())?.[1] ?? "").replaceAll("&quot;", '"')
  }
  const own = `${PATH}/products?list=plans`
  expect(await refusal(own, { ...form, pid: "3" })).toBe("Another product has this id. Choose another one.")
  expect(await refusal(own, { ...form, "price.EUR.monthly": "9.999" })).toMatch(
    /^Not saved\. Price EUR monthly is/,
  )
  expect(await refusal(own, { ...form, "price.EUR.monthly": "" })).toBe(
    "Not saved. Price is missing: it needs one at least.",
  )
  const option = `${PATH}/options/2`
  expect(await refusal(option, { "price.5.EUR.monthly": "much" })).toMatch(
    /^Not saved\. Choice “Yes”: Price EUR monthly is not a number/,
  )
  expect(await refusal(option, { "choice.5": "" })).toBe("Not saved. Choice 1: Name is empty.")
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
  expect([answer.status, answer.headers.get("location")]).toEqual([
    303,
    `/checkout${PATH}/options/2?done=edit-catalogue`,
  ])
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
  for (const path of [
    NEW_PLAN,
    NEW_OPTION,
    YEAR,
    `${PATH}/options/2`,
    `${PATH}/versions/1`,
    `${PATH}/preview?product=3&name=x`,
  ])
    expect([path, (await owner.request({ path })).status]).toEqual([path, 404])
})

test("the place of a plan says which plans visitors see, and that of a reseller plan does not", async () => {
  const shown = (list: string) => text(owner, `${PATH}/products?list=${list}`)
  const hint = "Visitors see the first three plans with a price in their currency."
  expect(await shown("plans")).toContain(hint)
  expect(await shown("resellerPlans")).not.toContain(hint)
})

test("an owner adds a plan, which is hidden at first, and a version says so", async () => {
  expect(await text(owner, PATH)).toContain('href="/checkout/admin/catalogue/products?list=plans"')
  const shown = await shownIn(NEW_PLAN)
  expect(shown).toMatchObject({ pid: "14", position: "4", hidden: "on", payType: "recurring" })
  const fields = { name: "Six months", "price.EUR.semiannually": "45", graceDays: "2", position: "2" }
  const answer = await changed(NEW_PLAN, fields)
  expect([answer.status, answer.headers.get("location")]).toEqual([
    303,
    `/checkout${PATH}/products/14?done=add-product`,
  ])
  const all = await plans()
  expect(all.map(({ id }) => id)).toEqual([all[0]?.id, "14", all[2]?.id, all[3]?.id])
  expect(all[1]).toMatchObject({
    name: "Six months",
    isHidden: true,
    payType: "recurring",
    pricing: { EUR: { semiannually: 4_500 } },
    graceDays: 2,
    customFields: all[0]?.customFields,
  })
  expect(await text(owner, `${PATH}/versions/2`)).toMatch(/Six months.*added: EUR semiannually 45\.00/)
  const [entry] = await shop.billing.auditLog.newest({ limit: 1, subject: "product 14" })
  expect(entry).toMatchObject({ action: "edit-catalogue", reason: "a sale", operator: owner.email })
})

test("proxy protection is not offered without the extra connection, as which it would be sold", async () => {
  const { options: _, ...form } = await shownIn(YEAR)
  const answer = await owner.request({ path: YEAR, form: { ...form, options: "4", reason: "only proxy" } })
  expect([answer.status, await answer.text()]).toEqual([
    422,
    expect.stringMatching(/Options has &quot;.*&quot; without &quot;.*&quot;, so it would be sold as/),
  ])
  expect((await year())?.options.map(({ id }) => id)).toEqual(["2", "4"])
})

test("an option that is ticked again has its place again", async () => {
  await newOption({ name: "Recording", "choice.1": "50 hours", "price.1.EUR.annually": "9" }, ["3"])
  const own = async () => (await year())?.options.map(({ id }) => id) ?? []
  const all = await own()
  const tick = async (ids: string[]) => {
    const { options: _, password: _p, code: _c, ...form } = await shownIn(YEAR)
    const ticked = ids.map((id): [string, string] => ["options", id])
    return owner.request({ path: YEAR, form: [...Object.entries({ ...form, reason: "a sale" }), ...ticked] })
  }
  const without = all.filter((id) => id !== "4")
  await tick(without)
  expect(await own()).toEqual(without)
  await tick(["4", ...without])
  expect(await own()).toEqual(all)
})

test("a copy has all that its source has, in the order of its options, and a name, an id and a place of its own", async () => {
  expect(await text(owner, YEAR)).toContain("products?list=plans&amp;from=3")
  const copy = `${NEW_PLAN}&from=3`
  expect((await shownIn(copy)).name).toBe((await year())?.name)
  const { password: _p, code: _c, options: _o, ...form } = await shownIn(copy)
  const ticked = ((await year())?.options ?? []).map(({ id }): [string, string] => ["options", id])
  const typed = Object.entries({ ...form, name: "Another year", reason: "a sale" })
  expect((await owner.request({ path: copy, form: [...typed, ...ticked.toReversed()] })).status).toBe(303)
  const { id: _, name: __, ...source } = (await year()) ?? { id: "", name: "" }
  expect(await product("14")).toEqual({ ...source, id: "14", name: "Another year", isHidden: true })
})

test("a reseller plan is added with its credits", async () => {
  const list = `${PATH}/products?list=resellerPlans`
  const fields = { name: "Reseller 7", "price.EUR.monthly": "70", credits: "7" }
  expect((await changed(list, fields)).status).toBe(303)
  const added = (await shop.services.billing.resellerPlans()).at(-1)
  expect(added).toMatchObject({ id: "14", kind: "reseller", credits: 7, isHidden: true })
})

test.each([
  [{ name: " " }, "Name is empty"],
  [{ pid: "" }, "Id is not an id"],
  [{ pid: "a b" }, "Id is not an id"],
  [{ pid: "3" }, "Another product has this id. Choose another one."],
  [{ "price.EUR.monthly": "" }, "Price is missing: it needs one at least."],
  [{ "price.EUR.monthly": "12,345" }, "is not a number"],
  [{ payType: "weekly" }, "is neither"],
  [{ graceDays: "-1" }, "is below 0"],
  [{ trialHours: "24", payType: "onetime" }, "is possible only for a recurring plan"],
])("a new plan with %o is refused in words, with the form filled in", async (wrong, words) => {
  const before = await plans()
  const fields = { name: "Mine", "price.EUR.monthly": "9.99", ...wrong }
  const answer = await changed(NEW_PLAN, fields)
  const page = await answer.text()
  expect([answer.status, page.includes(words), page]).toEqual([422, true, expect.any(String)])
  expect(page).toContain(`value="${fields["price.EUR.monthly"]}"`)
  expect(await plans()).toEqual(before)
})

test("a new reseller plan without credits is refused", async () => {
  const fields = { name: "Mine", "price.EUR.monthly": "9.99" }
  const answer = await changed(`${PATH}/products?list=resellerPlans`, fields)
  expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining("Credits")])
})

test("the preview shows a new plan although it is hidden, and leads back to the form", async () => {
  const fields = { name: "Brand new", "price.EUR.monthly": "9.87", position: "1", preview: "on" }
  const answer = await changed(NEW_PLAN, fields)
  const address = answer.headers.get("location")?.replace("/checkout", "") ?? ""
  const page = await text(owner, address)
  for (const part of ["Nothing is saved", "Brand new", "9.87"]) expect(page).toContain(part)
  const back = /href="\/checkout(\/admin\/catalogue\/products\?[^"]+)"/.exec(page)?.[1] ?? ""
  expect((await shownIn(back.replaceAll("&amp;", "&"))).name).toBe("Brand new")
  expect(await shop.billing.catalogue?.versions({ limit: 1 })).toEqual([])
})

test("a plan that nobody has is removed, and an earlier version brings it back", async () => {
  await changed(NEW_PLAN, { name: "Mistake", "price.EUR.monthly": "1" })
  const path = `${PATH}/products/14`
  const unreasoned = await actOnPage(owner, path, { form: { action: "remove-product", reason: "" } })
  expect([unreasoned.status, (await product("14"))?.name]).toEqual([422, "Mistake"])
  const answer = await actOnPage(owner, path, { form: { action: "remove-product", reason: "a typo" } })
  expect([answer.status, answer.headers.get("location")]).toEqual([303, `/checkout${PATH}?removed`])
  expect(await product("14")).toBeUndefined()
  expect((await owner.request({ path })).status).toBe(404)
  await actOnPage(owner, `${PATH}/versions/2`, { form: { action: "take-back-catalogue", reason: "needed" } })
  expect((await product("14"))?.name).toBe("Mistake")
})

test("a plan that somebody has ordered is not removed: it can be hidden, and its id is not given to another", async () => {
  const { key = "", seen = "" } = hiddenFieldsIn(await text(owner, YEAR), "remove-product")
  await buy(shop)
  expect(await text(owner, YEAR)).toContain("It was ordered, so it cannot be removed.")
  const form = { action: "remove-product", key, seen, reason: "late" }
  const late = await owner.request({ path: YEAR, form })
  expect([late.status, await late.text()]).toEqual([422, expect.stringContaining("was ordered meanwhile")])
  expect((await year())?.id).toBe("3")
  const { promotions, products } = await shop.billing.operator.exportCatalogue()
  const kept = products.filter(({ id }) => id !== "3")
  await shop.billing.operator.importCatalogue({ products: kept, promotions: promotions.slice(0, 0) })
  const again = await changed(NEW_PLAN, { pid: "3", name: "Other", "price.EUR.monthly": "1" })
  expect([again.status, await again.text()]).toEqual([
    422,
    expect.stringContaining("Services or orders have this id"),
  ])
})

test("a plan that a promotion names is not removed before the promotion is changed", async () => {
  const { promotions } = await shop.billing.operator.exportCatalogue()
  const named = promotions.flatMap(({ productIds }) => productIds)[0] ?? ""
  const answer = await actOnPage(owner, `${PATH}/products/${named}`, {
    form: { action: "remove-product", reason: "x" },
  })
  expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining("is not listed")])
})

/** Posts the form of a new option for two products. */
const newOption = async (fields: Record<string, string>, products = ["1", "3"]) => {
  const { password: _, code: __, ...form } = await shownIn(NEW_OPTION)
  const typed = Object.entries({ ...form, reason: "asked for", ...fields })
  const chosen = products.map((id): [string, string] => ["products", id])
  return owner.request({ path: NEW_OPTION, form: [...typed, ...chosen] })
}

test("an owner adds an option with choices and prices to products, as their last one", async () => {
  const fields = {
    name: "Recording",
    "choice.1": "50 hours",
    "price.1.EUR.monthly": "3",
    "choice.3": "100 hours",
    "price.3.EUR.monthly": "5,50",
  }
  const answer = await newOption(fields)
  expect([answer.status, answer.headers.get("location")]).toEqual([303, `/checkout${PATH}?done=add-option`])
  for (const pid of ["1", "3"]) {
    const option = (await product(pid))?.options.at(-1)
    expect(option?.name).toBe("Recording")
    expect(option?.choices.map(({ name, pricing }) => [name, pricing])).toEqual([
      ["50 hours", { EUR: { monthly: 300 } }],
      ["100 hours", { EUR: { monthly: 550 } }],
    ])
  }
  expect(await text(owner, PATH)).toContain("Recording")
})

test.each<[Record<string, string>, string[], string]>([
  [{ name: "" }, ["1"], "Name is empty"],
  [{ "choice.1": " " }, ["1"], "has no option to choose"],
  [{ "price.1.EUR.monthly": "dear" }, ["1"], "is not a number"],
  [{}, [], "Choose at least one product"],
  [{ reason: " " }, ["1"], "Write down why."],
])(
  "a new option with %o for the products %o is refused, with the form filled in",
  async (wrong, products, words) => {
    const before = await plans()
    const fields = { name: "Recording", "choice.1": "50 hours", "price.1.EUR.monthly": "3", ...wrong }
    const answer = await newOption(fields, products)
    const page = await answer.text()
    expect([answer.status, page.includes(words), page]).toEqual([422, true, expect.any(String)])
    expect(page).toContain(`value="${fields["price.1.EUR.monthly"]}"`)
    expect(await plans()).toEqual(before)
  },
)

test("support adds and removes nothing", async () => {
  const support = await enrolled(shop, "support")
  for (const path of [NEW_PLAN, NEW_OPTION, YEAR]) {
    const page = await text(support, path)
    for (const action of ["edit-catalogue", "remove-product"])
      expect(hiddenFieldsIn(page, action)).toEqual({})
  }
})
