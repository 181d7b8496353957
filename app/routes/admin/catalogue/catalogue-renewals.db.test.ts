import { afterEach, beforeEach, expect, test } from "vitest"
import { MINUTE } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { runBulk } from "~/flows/jobs/run-bulk.server"
import {
  actOnPage,
  afterCheckOf,
  auditedOf,
  type ConsoleVisitor,
  enrolled,
  hiddenFieldsIn,
  OPERATOR_PASSWORD,
  refusalIn,
} from "../../../../tests/fixtures/console"
import { buyPlan } from "../../../../tests/fixtures/purchase"
import { respond } from "../../../../tests/fixtures/shop-router"
import { choice, openTestShop, type TestShop, TOTAL } from "../../../../tests/fixtures/test-shop"

const PATH = "/admin/catalogue/products/3/renewals"
const ANNOUNCED = { group: "EUR annually", price: "89.00", from: "2027-03-01" }
const MARCH = Date.UTC(2027, 2, 1)

let shop: TestShop
let owner: ConsoleVisitor
beforeEach(async () => {
  shop = await openTestShop({ mailer: { send: async () => ({ kind: "sent", response: "250 OK" }) } })
  owner = await enrolled(shop, "owner")
})
afterEach(() => shop.billing.close())

const page = async (query = "", who = owner) => (await who.request({ path: `${PATH}${query}` })).text()
const query = (typed: Record<string, string> = {}) =>
  `?${new URLSearchParams({ ...ANNOUNCED, ...typed }).toString()}`
const announcedOf = async (id: string) => (await shop.billing.billing.renewalTerms(id))?.announced ?? null
const mailsOf = async () =>
  (await (await owner.request({ path: "/admin/mail?state=waiting" })).text()).split(
    ">Another price announced<",
  ).length - 1

/** Three services of the plan: one with an extra connection, two without. */
async function sell(): Promise<readonly string[]> {
  const sold: string[] = []
  for (const [index, extraConnection] of [true, false, false].entries()) {
    const total = extraConnection ? TOTAL : 79_00
    const email = `buyer${index}@example.test`
    const order = await buyPlan(
      shop,
      { key: `key ${index}`, choices: { ...choice, email, extraConnection }, agreedTotal: total },
      total,
    )
    sold.push(order.serviceId)
  }
  return sold
}

/** Posts the form that the count leads to, and lets the job do it. */
const announce = async (fields: Record<string, string> = {}, typed: Record<string, string> = {}) => {
  const answer = await actOnPage(owner, `${PATH}${query(typed)}`, {
    form: { action: "move-price", reason: "channels cost more", ...fields },
    to: PATH,
  })
  await runBulk(shop.services)
  return answer
}

test("an owner counts the services first, then announces another renewal price to each, once", async () => {
  const [withExtra = "", plain = ""] = await sell()
  expect(await page()).toContain("<td>EUR annually</td>")
  const counted = await page(query())
  expect(counted).toContain("from 2027-03-01 on: 3.")
  expect([await announcedOf(plain), await mailsOf()]).toEqual([null, 0])
  const form = { ...hiddenFieldsIn(counted, "move-price"), reason: "channels cost more" }
  const send = () => owner.request({ path: PATH, form })
  expect((await send()).headers.get("location")).toBe(`/checkout${PATH}?done=move-prices`)
  expect((await send()).headers.get("location")).toContain("sent-before")
  // The request has only begun it: a job goes on, and the page says how far it is.
  expect(await announcedOf(plain)).toBeNull()
  expect(await page("?done=move-prices")).toMatch(
    /is being announced[\s\S]*<td>Being announced<\/td>[\s\S]*>0<\/td>/,
  )
  await runBulk(shop.services)
  expect(await announcedOf(plain)).toEqual({ price: money(89_00, "EUR"), from: MARCH })
  expect(await announcedOf(withExtra)).toEqual({ price: money(89_00 + 19_90, "EUR"), from: MARCH })
  expect(await mailsOf()).toBe(3)
  expect(await page()).toMatch(/owner@shop\.test<\/td>[\s\S]*<td>Announced to all<\/td>\s*<td[^>]*>3<\/td>/)
  const entry = (await auditedOf(shop, "move-price")).at(-1)
  expect(entry).toMatchObject({ subject: "services of 3", reason: "channels cost more" })
  expect(entry?.after).toContain('"price":"89.00"')
})

test("a price is announced, and taken back, with password and code of the last ten minutes alone", async () => {
  const [, plain = ""] = await sell()
  const proof = () => ({ password: OPERATOR_PASSWORD, code: owner.nextCode() })
  const asked = [422, expect.stringContaining("Type your password and a code.")]
  shop.wait(11 * MINUTE)
  expect(await refusalIn(announce())).toEqual(asked)
  expect(await announcedOf(plain)).toBeNull()
  await announce(proof())
  expect(await announcedOf(plain)).toEqual({ price: money(89_00, "EUR"), from: MARCH })
  shop.wait(11 * MINUTE)
  const form = { action: "keep-price", reason: "typed wrongly" }
  expect(await refusalIn(actOnPage(owner, PATH, { form }))).toEqual(asked)
  expect((await actOnPage(owner, PATH, { form: { ...form, ...proof() } })).status).toBe(303)
})

test.each(["89", "89,00", "€89", "89.00 EUR"])("the new price may be typed as %s", async (price) => {
  const [, plain = ""] = await sell()
  expect(await page(query({ price }))).toContain("from 2027-03-01 on: 3.")
  await announce({}, { price })
  expect(await announcedOf(plain)).toEqual({ price: money(89_00, "EUR"), from: MARCH })
})

test("an announced price is listed with its day, and taken back before it", async () => {
  const sold = await sell()
  await announce()
  const listed = await page()
  expect(listed).toMatch(/<td>EUR annually<\/td>\s*<td>2027-03-01 00:00<\/td>\s*<td[^>]*>3<\/td>/)
  const answer = await actOnPage(owner, PATH, { form: { action: "keep-price", reason: "typed wrongly" } })
  expect(answer.headers.get("location")).toBe(`/checkout${PATH}?done=keep-prices`)
  // The request has only begun it: a job goes on, and the page says how far it is.
  for (const id of sold) expect(await announcedOf(id)).not.toBeNull()
  const going = await page("?done=keep-prices")
  expect(going).toMatch(
    /is being taken back[\s\S]*<td>–<\/td>[\s\S]*<td>Being taken back<\/td>[\s\S]*>0<\/td>/,
  )
  expect(going).not.toContain('value="keep-price"')
  await runBulk(shop.services)
  for (const id of sold) expect(await announcedOf(id)).toBeNull()
  const done = await page()
  expect(done).toMatch(/<td>Taken back from all<\/td>\s*<td[^>]*>3<\/td>/)
  expect(done).not.toContain('value="keep-price"')
  expect((await auditedOf(shop, "keep-price")).at(-1)).toMatchObject({ subject: "services of 3" })
})

test("a price that another operator has announced since the page was opened, or at the same moment, is told first", async () => {
  await sell()
  const other = await enrolled(shop, "owner", "jonas@shop.test")
  const typed = query({ price: "95.00" })
  const former = hiddenFieldsIn(await page(typed, other), "move-price")
  await announce()
  const late = other.request({ path: PATH, form: { ...former, reason: "costs" } })
  const told = [422, expect.stringContaining("was announced or taken back since you opened the page")]
  expect(await refusalIn(late)).toEqual(told)
  shop.wait(1)
  afterCheckOf(shop, other, () => announce({}, { price: "92.00" }))
  const form = { action: "move-price", reason: "costs" }
  expect(await refusalIn(actOnPage(other, `${PATH}${typed}`, { form, to: PATH }))).toEqual(told)
  const back = hiddenFieldsIn(await page(), "keep-price")
  shop.wait(1)
  await announce({}, { price: "96.00" })
  expect(await refusalIn(owner.request({ path: PATH, form: { ...back, reason: "wrong" } }))).toEqual(told)
})

test("the day of an announced price stays whole on a phone, in its list and in the form that takes it back", async () => {
  await sell()
  await announce()
  const cookie = `console=${owner.token}`
  const html = await (await respond(shop.services, { path: PATH, headers: { cookie } })).text()
  const day = '<span class="whole">2027-03-01 00:00</span>'
  expect(html).toContain(`<td>${day}</td>`)
  expect(html).toContain(`<summary>Take back: EUR annually from ${day}</summary>`)
})

test.each([
  ["an amount that can be read in two ways", { price: "1,000" }, "Type an amount"],
  ["an amount of another currency", { price: "$89.00" }, "Type an amount"],
  ["no day", { from: "soon" }, "Choose a day."],
  ["a day that is near", { from: "2026-12-01" }, "at least 30 days ahead"],
  ["another cycle than any service has", { group: "EUR weekly" }, "Choose which renewals."],
] satisfies [string, Record<string, string>, string][])(
  "the price is not counted with %s, and what was typed stays",
  async (_, typed, words) => {
    await sell()
    const shown = await page(query(typed))
    expect(shown).toContain(words)
    expect(shown).not.toContain('value="move-price"')
    const { price, from } = { ...ANNOUNCED, ...typed }
    for (const value of [price, from]) expect(shown).toContain(`value="${value}"`)
  },
)

test("nothing is announced without a reason, in a shop without mail, or for a day that is near by then", async () => {
  await sell()
  const [status, words] = await refusalIn(announce({ reason: " " }))
  expect([status, words]).toEqual([422, "Write down why."])
  expect(await refusalIn(announce({ from: "2026-12-01" }))).toEqual([
    422,
    expect.stringContaining("at least 30 days ahead"),
  ])
  expect(await mailsOf()).toBe(0)
})

test("services with an extra that has no price are counted apart, and are left as they are", async () => {
  const [withExtra = ""] = await sell()
  const products = (await shop.services.billing.plans()).map((it) => ({ ...it, options: [] }))
  await shop.billing.operator.importCatalogue({ products, promotions: [] })
  const counted = await page(query())
  for (const part of ["from 2027-03-01 on: 2.", "no price for their extras: 1."])
    expect(counted).toContain(part)
  expect((await announce()).headers.get("location")).toBe(`/checkout${PATH}?done=move-prices`)
  expect(await page()).toMatch(/<td>Announced to all<\/td>\s*<td[^>]*>2<\/td>\s*<td[^>]*>1<\/td>/)
  expect(await announcedOf(withExtra)).toBeNull()
})

test("no price is announced for a plan without renewals", async () => {
  await sell()
  const products = (await shop.services.billing.plans()).map((it) => ({
    ...it,
    renewalPrice: "none" as const,
  }))
  await shop.billing.operator.importCatalogue({ products, promotions: [] })
  const shown = await page()
  expect(shown).toContain("The services of this plan are not renewed")
  expect(shown).not.toContain('name="price"')
})

test("support sees what is announced and changes nothing; reseller plans have no such page", async () => {
  await sell()
  await announce()
  const support = await enrolled(shop, "support")
  const shown = await page("", support)
  expect(shown).toContain("2027-03-01 00:00")
  for (const part of ["move-price", "keep-price", 'name="price"']) expect(shown).not.toContain(part)
  const reseller = await owner.request({ path: "/admin/catalogue/products/12/renewals" })
  expect(reseller.status).toBe(404)
})
