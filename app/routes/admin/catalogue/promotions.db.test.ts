import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { placeOrder } from "~/flows/checkout/place-order.server"
import { actOnPage, type ConsoleVisitor, enrolled, hiddenFieldsIn } from "../../../../tests/fixtures/console"
import { buy, request } from "../../../../tests/fixtures/purchase"
import {
  engines,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../../tests/fixtures/temporary-database"
import { choice, openTestShop, type TestShop, TOTAL } from "../../../../tests/fixtures/test-shop"

const PATH = "/admin/promotions"
const WELCOME = `${PATH}/WELCOME10`
const choices = { ...choice, promoCode: "WELCOME10" }

let shop: TestShop
let owner: ConsoleVisitor
beforeEach(async () => {
  shop = await openTestShop()
  owner = await enrolled(shop, "owner")
})
afterEach(() => shop.billing.close())

const text = async (who: ConsoleVisitor, path: string) => (await who.request({ path })).text()
const order = (changes = {}) => placeOrder(shop.services, { ...request(), choices, ...changes })

/** What a form of a promotion sends. */
const typed = { products: "3", kind: "Percentage", value: "25", maxUses: "50", reason: "spring" }

/** Posts the form by which promotions are added. */
async function added(who: ConsoleVisitor, fields: Record<string, string>) {
  const page = await text(who, PATH)
  const key = /name="key" value="([^"]+)"/.exec(page.split('<details class="card"')[1] ?? "")?.[1] ?? ""
  return who.request({ path: PATH, form: { key, ...typed, ...fields } })
}

test("the list says of each promotion what it gives, where, until when, how often it was used and whether it is on", async () => {
  await buy(shop, { choices, agreedTotal: TOTAL - 989 })
  const row = (await text(owner, PATH)).split("<tr").find((it) => it.includes(`${WELCOME}"`)) ?? ""
  for (const part of ["10 %", "12 months (3)", ">on<"]) expect(row).toContain(part)
  expect(row).toMatch(/data-label="Uses">1( of \d+)?</)
})

test("the page of a promotion has its orders, whose emails a viewer sees masked, and no action for a viewer", async () => {
  const { order: bought } = await buy(shop, { choices, agreedTotal: TOTAL - 989 })
  const viewer = await enrolled(shop, "viewer")
  const page = await text(viewer, `${PATH}/welcome10`)
  expect(page).toContain(`href="/checkout/admin/orders/${bought.id}"`)
  expect(page).not.toContain(bought.email)
  expect(page).not.toContain("switch-off-promotion")
  expect((await viewer.request({ path: `${PATH}/NOSUCH` })).status).toBe(404)
})

test("support switches a promotion off, which the next order meets at once, and on again; both are audited with the reason", async () => {
  const support = await enrolled(shop, "support")
  const off = await actOnPage(support, WELCOME, {
    form: { action: "switch-off-promotion", reason: "it has leaked" },
  })
  expect([off.status, off.headers.get("location")]).toEqual([
    303,
    `/checkout${WELCOME}?done=switch-off-promotion`,
  ])
  expect(await order()).toMatchObject({ kind: "rejected", reason: "promotion.ended" })
  const page = await text(support, WELCOME)
  expect(page).toContain("switched off")
  expect(hiddenFieldsIn(page, "edit-promotion")).toEqual({})
  await actOnPage(support, WELCOME, { form: { action: "switch-on-promotion", reason: "a mistake" } })
  expect(await order({ agreedTotal: TOTAL - 989 })).toMatchObject({ kind: "placed" })
  const log = await text(owner, "/admin/audit")
  for (const reason of ["it has leaked", "a mistake", "promotion WELCOME10"]) expect(log).toContain(reason)
})

test("the page of a promotion says in words what is now, and names the fields of its form in what it refuses", async () => {
  const now = async () => /value="switch-off-promotion".*?<dd>([^<]+)/s.exec(await text(owner, WELCOME))?.[1]
  expect(await now()).toBe("Discount 10 %, valid always. Uses: 0")
  const refusal = async (fields: Record<string, string>) =>
    /role="alert">([^<]+)/.exec(await (await added(owner, { code: "SPRING", ...fields })).text())?.[1]
  expect(await refusal({ from: "2027-05-01", to: "2027-04-01" })).toBe(
    "Not saved. Last day is before the first day.",
  )
  expect(await refusal({ maxUses: "many" })).toMatch(
    /^Not saved\. Most uses by all buyers is not a whole number/,
  )
  expect(await refusal({ renewals: "All ", code: "SPRING" })).toBeUndefined()
  expect((await shop.billing.promotions?.promotionDetails("spring"))?.renewals).toBe("all")
  await added(owner, { code: "MAY", maxUses: "5", from: "2027-05-01" })
  expect(await text(owner, `${PATH}/MAY`)).toContain("Discount 25 %, valid from 2027-05-01. Uses: 0 of 5")
})

test("a promotion that no product has is not shown as on", async () => {
  const state = /<span class="pill[^"]*">([^<]+)/
  await added(owner, { code: "NOTHING", products: "" })
  expect(state.exec(await text(owner, `${PATH}/NOTHING`))?.[1]).toBe("for no product")
  expect(state.exec(await text(owner, WELCOME))?.[1]).toBe("on")
})

test("a promotion is not switched without a reason, nor by the form of a page that is older than another change", async () => {
  const unreasoned = await actOnPage(owner, WELCOME, {
    form: { action: "switch-off-promotion", reason: " " },
  })
  expect([unreasoned.status, await unreasoned.text()]).toEqual([
    422,
    expect.stringContaining("Write down why."),
  ])
  const old = hiddenFieldsIn(await text(owner, WELCOME), "switch-off-promotion")
  await actOnPage(owner, WELCOME, { form: { action: "switch-off-promotion", reason: "leaked" } })
  const late = await owner.request({ path: WELCOME, form: { ...old, reason: "leaked too" } })
  expect([late.status, await late.text()]).toEqual([422, expect.stringContaining("has changed since")])
})

test("an owner adds a promotion, with which buyers order at once, and finds what was typed again when it is refused", async () => {
  const refused = await added(owner, { code: "SPRING", value: "101", products: "99" })
  const page = await refused.text()
  expect(refused.status).toBe(422)
  expect(page).toContain("takes off more than 100 percent")
  expect(page).toContain('value="SPRING"')
  const unlisted = await added(owner, { code: "SPRING", products: "99" })
  expect(await unlisted.text()).toContain("Products names the product")
  const answer = await added(owner, {
    code: "SPRING",
    usesPerPerson: "1",
    cycles: "annually",
    to: "2030-12-31",
  })
  expect([answer.status, answer.headers.get("location")]).toEqual([303, `/checkout${PATH}/SPRING?added`])
  expect(await shop.billing.promotions?.promotionDetails("spring")).toEqual({
    code: "SPRING",
    productIds: ["3"],
    discount: { kind: "percentage", basisPoints: 2_500 },
    startsOn: null,
    endsOn: "2030-12-31",
    maxUses: 50,
    usesPerPerson: 1,
    cycles: ["annually"],
    uses: 0,
    offSince: null,
  })
  const spring = { choices: { ...choice, promoCode: "SPRING" }, agreedTotal: TOTAL - 2_473 }
  expect(await order(spring)).toMatchObject({ kind: "placed" })
  expect((await added(owner, { code: "spring" })).status).toBe(422)
})

test("an owner changes a promotion: new orders get the new discount, its uses and placed orders stay", async () => {
  const { order: before } = await buy(shop, { choices, agreedTotal: TOTAL - 989 })
  const form = { action: "edit-promotion", ...typed, value: "20", maxUses: "2" }
  expect((await actOnPage(owner, WELCOME, { form })).status).toBe(303)
  const { lines, total } = before
  expect(await shop.services.billing.order(before.id)).toMatchObject({ lines, total })
  expect(await shop.services.billing.promotion("WELCOME10")).toMatchObject({
    discount: { basisPoints: 2_000 },
    remainingUses: 1,
  })
  const refused = await actOnPage(owner, WELCOME, { form: { ...form, value: "much" } })
  const page = await refused.text()
  expect([refused.status, page.includes('value="much"')]).toEqual([422, true])
})

test("a change that is saved while another one is checked is kept, and the later one is told of it", async () => {
  const { promotions } = shop.billing
  const other = await enrolled(shop, "owner", "jonas@shop.test")
  const own = shop.services.console
  const [page, late] = await Promise.all([owner, other].map((it) => text(it, WELCOME)))
  const send = (who: ConsoleVisitor, from = "", fields: Record<string, string>) =>
    who.request({
      path: WELCOME,
      form: { ...hiddenFieldsIn(from, "edit-promotion"), action: "edit-promotion", ...typed, ...fields },
    })
  const { append } = shop.billing.auditLog
  const won: number[] = []
  const duringCheck: typeof append = async (entry) => {
    if (entry.operator === other.email && entry.outcome === "started")
      won.push((await send(owner, page, { value: "20" })).status)
    return append(entry)
  }
  if (own) Object.assign(own, { auditLog: { ...shop.billing.auditLog, append: duringCheck } })
  const refused = await send(other, late, { maxUses: "2" })
  expect(won).toEqual([303])
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining("has changed since")])
  expect(await promotions?.promotionDetails("WELCOME10")).toMatchObject({
    discount: { basisPoints: 2_000 },
    maxUses: 50,
  })
})

test("an export of the catalogue has the promotions of the console, and importing it keeps one that is off", async () => {
  await added(owner, { code: "SPRING" })
  await shop.billing.promotions?.switchOff("SPRING", shop.services.now())
  const file = await shop.billing.operator.exportCatalogue()
  expect(file.promotions.map(({ code }) => code)).toContain("SPRING")
  await shop.billing.operator.importCatalogue(file)
  expect(await shop.services.billing.promotion("SPRING")).toMatchObject({ isOff: true })
})

test("with an external billing the page says who has the promotions, and no promotion has a page", async () => {
  const { console: own } = shop.services
  if (own) Object.assign(own, { promotions: null })
  expect(await text(owner, PATH)).toContain("Your billing system has the promotions")
  expect((await owner.request({ path: WELCOME })).status).toBe(404)
  expect((await owner.request({ path: PATH, form: typed })).status).toBe(404)
})

describe.each(engines)("promotions of operators on %s", (engine) => {
  let database: TemporaryDatabase
  beforeEach(async () => {
    database = await openTemporaryDatabase(engine)
  })
  afterEach(() => database.close())

  test("two instances see each other's changes at once, and list the promotions by code in pages", async () => {
    const other = await openTestShop({ databaseUrl: database.url })
    const instance = await openTestShop({ databaseUrl: database.url })
    const { promotions } = other.billing
    expect(await promotions?.switchOff("welcome10", 7)).toBe(true)
    expect(await promotions?.switchOff("welcome10", 8)).toBe(false)
    expect(await instance.services.billing.promotion("WELCOME10")).toMatchObject({ isOff: true })
    const all = (await promotions?.promotions({ limit: 100 })) ?? []
    expect(all.find(({ code }) => code === "WELCOME10")).toMatchObject({ offSince: 7, uses: 0 })
    expect(all.length).toBeGreaterThan(2)
    const [first, ...rest] = all
    expect(await promotions?.promotions({ limit: 100, after: first?.code })).toEqual(rest)
    await other.billing.close()
    await instance.billing.close()
  })
})
