import { afterEach, beforeEach, expect, test } from "vitest"
import { DAY, MINUTE } from "~/domain/calendar"
import { scheduledIn } from "~/domain/catalogue/scheduled-prices"
import {
  actOnPage,
  auditedOf,
  type ConsoleVisitor,
  enrolled,
  formSent,
  hiddenFieldsIn,
  refusalIn,
} from "../../../../tests/fixtures/console"
import { openTestShop, type TestShop } from "../../../../tests/fixtures/test-shop"

const YEAR = "/admin/catalogue/products/3"
const PATH = `${YEAR}/prices`
const TYPED = { of: "EUR annually", price: "89,00", from: "2026-12-01T08:00", reason: "channels cost more" }
const TAKE_BACK = { action: "unschedule-price", reason: "typed wrongly" }

let shop: TestShop
let owner: ConsoleVisitor
beforeEach(async () => {
  shop = await openTestShop()
  owner = await enrolled(shop, "owner")
})
afterEach(() => shop.billing.close())

const page = async (path = PATH, who = owner) => (await who.request({ path })).text()
const year = async () => (await shop.services.billing.plans()).find(({ id }) => id === "3")
const ahead = async () => scheduledIn(await shop.services.billing.plans())
const schedule = (typed: Record<string, string> = {}) =>
  actOnPage(owner, PATH, { form: { action: "schedule-price", ...TYPED, ...typed } })

/** Waits until after the instant; the password that was given before has to be given again. */
async function waitForIt() {
  shop.wait(11 * DAY)
  owner = await enrolled(shop, "owner", "marta@shop.test")
}

test("an owner schedules a price: the plan's page says from when, who, when and why, and new orders cost it from then on", async () => {
  const answer = await schedule()
  expect([answer.status, answer.headers.get("location")]).toEqual([
    303,
    `/checkout${PATH}?done=schedule-price`,
  ])
  expect((await year())?.pricing.EUR?.annually).toBe(79_00)
  const told =
    /2026-12-01 08:00[\s\S]*EUR annually[\s\S]*89\.00[\s\S]*2026-11-20 12:\d\d, owner@shop\.test[\s\S]*channels cost more/
  for (const path of [YEAR, PATH]) expect(await page(path)).toMatch(told)
  const entry = (await auditedOf(shop, "schedule-price")).at(-1)
  expect(entry).toMatchObject({ subject: "product 3", reason: "channels cost more", outcome: "done" })
  expect(entry?.after).toContain("price EUR annually 89.00 from 2026-12-01 08:00 UTC scheduled")
  await waitForIt()
  expect((await year())?.pricing.EUR?.annually).toBe(89_00)
  for (const path of [YEAR, PATH]) expect(await page(path)).toContain("No price is scheduled.")
  expect(await page(YEAR)).toContain("EUR annually 89.00")
})

test("a scheduled price of an option is that of every plan that has it", async () => {
  await schedule({ of: "2/5 EUR annually", price: "24.90" })
  expect(await page(PATH)).toContain("<td>Extra connection, Yes: EUR annually</td>")
  await waitForIt()
  const extras = (await shop.services.billing.plans()).map(
    ({ options }) => options[0]?.choices[0]?.pricing.EUR,
  )
  expect(extras.map((it) => it?.annually)).toEqual(extras.map(() => 24_90))
})

test("a scheduled price is taken back before it is in force, and nothing of it is left", async () => {
  await schedule()
  const answer = await actOnPage(owner, PATH, { form: TAKE_BACK })
  expect(answer.headers.get("location")).toBe(`/checkout${PATH}?done=unschedule-price`)
  expect([await ahead(), await page()]).toEqual([[], expect.stringContaining("No price is scheduled.")])
  const entry = (await auditedOf(shop, "unschedule-price")).at(-1)
  expect(entry).toMatchObject({ subject: "product 3", reason: "typed wrongly" })
  await waitForIt()
  expect((await year())?.pricing.EUR?.annually).toBe(79_00)
})

test("a price that has come into force since the page was opened is not taken back", async () => {
  await schedule({ from: "2026-11-20T12:05" })
  const form = { ...hiddenFieldsIn(await page(), "unschedule-price"), ...TAKE_BACK }
  shop.wait(5 * MINUTE)
  const [status, words] = await refusalIn(owner.request({ path: PATH, form }))
  expect([status, words]).toEqual([422, expect.stringContaining("changed since you opened the page")])
  expect((await year())?.pricing.EUR?.annually).toBe(89_00)
})

test("the plan's form of before the instant is refused after it, and one of after it changes the new price", async () => {
  await schedule({ from: "2026-11-20T12:05" })
  const former = formSent(await page(YEAR), "edit-catalogue", { reason: "a name" })
  shop.wait(5 * MINUTE)
  const [status] = await refusalIn(owner.request({ path: YEAR, form: former }))
  expect([status, (await year())?.pricing.EUR?.annually]).toEqual([422, 89_00])
  const sent = formSent(await page(YEAR), "edit-catalogue", {
    "price.EUR.annually": "95.00",
    reason: "a sale",
  })
  expect((await owner.request({ path: YEAR, form: sent })).status).toBe(303)
  expect((await year())?.pricing.EUR?.annually).toBe(95_00)
  const list = await page("/admin/catalogue")
  expect(list).toContain("scheduled price in force")
  expect(list).toContain("channels cost more")
})

test("a change of the plan leaves what is scheduled", async () => {
  await schedule()
  const sent = formSent(await page(YEAR), "edit-catalogue", { name: "A year", reason: "a name" })
  expect((await owner.request({ path: YEAR, form: sent })).status).toBe(303)
  expect((await ahead()).map(({ price }) => price)).toEqual([89_00])
})

test.each([
  ["an amount that can be read in two ways", { price: "1,000" }, "Type an amount"],
  ["no time", { from: "soon" }, "Choose a day and a time."],
  ["a time that has passed", { from: "2026-11-20T11:59" }, "Choose a time ahead."],
  ["a cycle that is not sold", { of: "EUR weekly" }, "not sold at this price"],
  ["no reason", { reason: " " }, "Write down why."],
])("nothing is scheduled with %s, and what was typed stays", async (_, typed, words) => {
  const answer = await schedule(typed)
  const text = await answer.text()
  expect([answer.status, text.includes(words)]).toEqual([422, true])
  const { price, from } = { ...TYPED, ...typed }
  for (const value of [price, from]) expect(text).toContain(`value="${value}"`)
  expect(await ahead()).toEqual([])
})

test("a second price of the same moment is refused, and one that is sent twice is scheduled once", async () => {
  const form = { ...hiddenFieldsIn(await page(), "schedule-price"), ...TYPED }
  await owner.request({ path: PATH, form })
  const again = await owner.request({ path: PATH, form })
  expect(again.headers.get("location")).toContain("sent-before")
  const [status, words] = await refusalIn(schedule({ price: "99.00" }))
  expect([status, words]).toEqual([422, expect.stringContaining("Another price is scheduled for that time")])
  expect((await ahead()).map(({ price }) => price)).toEqual([89_00])
})

test("a viewer sees what is scheduled, without addresses, and changes nothing", async () => {
  await schedule()
  const viewer = await enrolled(shop, "viewer")
  const shown = await page(PATH, viewer)
  expect(shown).toContain("2026-12-01 08:00")
  for (const part of ["schedule-price", 'name="price"', "owner@shop.test"]) expect(shown).not.toContain(part)
  expect((await page(`${YEAR}9/prices`)).includes("schedule-price")).toBe(false)
})
