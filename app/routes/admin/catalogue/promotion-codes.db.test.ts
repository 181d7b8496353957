import { afterEach, beforeEach, expect, test } from "vitest"
import { placeOrder } from "~/flows/checkout/place-order.server"
import { actOnPage, type ConsoleVisitor, enrolled } from "../../../../tests/fixtures/console"
import { buy, request } from "../../../../tests/fixtures/purchase"
import { choice, openTestShop, type TestShop, TOTAL } from "../../../../tests/fixtures/test-shop"

const PATH = "/admin/promotions/WELCOME10/codes"
const DISCOUNTED = TOTAL - 989

let shop: TestShop
let owner: ConsoleVisitor
beforeEach(async () => {
  shop = await openTestShop()
  owner = await enrolled(shop, "owner")
})
afterEach(() => shop.billing.close())

const text = async (who: ConsoleVisitor, path = PATH) => (await who.request({ path })).text()
const generate = (who: ConsoleVisitor, fields: Record<string, string> = {}) =>
  actOnPage(who, PATH, {
    form: {
      action: "generate-promotion-codes",
      count: "20",
      prefix: "fair",
      reason: "fair in May",
      ...fields,
    },
  })
const stored = async () => (await shop.billing.promotions?.codes("WELCOME10", { limit: 100 })) ?? []
const placed = (promoCode: string, key: string) =>
  placeOrder(shop.services, { ...request(), choices: { ...choice, promoCode }, key, agreedTotal: DISCOUNTED })

test("an owner generates codes, of which each buys once, and its order is linked; a cancelled order gives it back", async () => {
  const answer = await generate(owner)
  expect([answer.status, answer.headers.get("location")]).toEqual([303, `/checkout${PATH}?generated=20`])
  const [first, ...others] = await stored()
  expect([first?.code, others.length]).toEqual([
    expect.stringMatching(/^FAIR(-[2-9A-HJKMNP-TV-Z]{4}){3}$/),
    19,
  ])
  const code = first?.code ?? ""
  const { order } = await buy(shop, {
    choices: { ...choice, promoCode: code.toLowerCase() },
    agreedTotal: DISCOUNTED,
  })
  expect(order.lines).toContainEqual(expect.objectContaining({ kind: "discount", code }))
  expect(await placed(code, "draft-2")).toMatchObject({ kind: "rejected", reason: "promotion.used-up" })
  const page = await text(owner, `${PATH}?state=used`)
  expect(page).toContain(`href="/checkout/admin/orders/${order.id}"`)
  expect(page).toContain("19 unused, 1 used, 0 withdrawn")
  await shop.billing.billing.applyOrderEvent(order.id, "aborted", shop.services.now())
  expect(await placed(code, "draft-3")).toMatchObject({ kind: "placed" })
})

test("a form acts once: sent twice it generates one series", async () => {
  const page = await text(owner)
  const form = page.split('value="generate-promotion-codes"')[0] ?? ""
  const key = [...form.matchAll(/name="key" value="([^"]+)"/g)].at(-1)?.[1] ?? ""
  const fields = { action: "generate-promotion-codes", key, count: "2", prefix: "", reason: "fair" }
  for (const _ of [1, 2]) await owner.request({ path: PATH, form: fields })
  expect((await stored()).length).toBe(2)
})

test.each([
  [{ count: "0" }, "a number from 1 to 10,000"],
  [{ count: "10001" }, "a number from 1 to 10,000"],
  [{ prefix: "=CMD" }, "20 letters, digits and hyphens"],
  [{ reason: " " }, "Write down why."],
])("with %j nothing is generated, and what was typed stays", async (fields, message) => {
  const answer = await generate(owner, fields)
  const page = await answer.text()
  expect([answer.status, page.includes(message)]).toEqual([422, true])
  expect(page).toContain(`value="${{ count: "20", ...fields }.count}"`)
  expect(await stored()).toEqual([])
})

test("the file has every code with its state and order, as the audit log says without the codes", async () => {
  await generate(owner, { count: "501" })
  const [first] = await stored()
  const { order } = await buy(shop, {
    choices: { ...choice, promoCode: first?.code ?? "" },
    agreedTotal: DISCOUNTED,
  })
  const form = { action: "export-promotion-codes", reason: "printing" }
  const answer = await actOnPage(owner, PATH, { form })
  expect(answer.headers.get("content-disposition")).toBe('attachment; filename="codes.csv"')
  const [head, ...lines] = (await answer.text()).trim().split("\r\n")
  expect(head).toContain("code,state,created,order,used,withdrawn")
  expect(lines.length).toBe(501)
  expect(lines[0]).toContain(`${first?.code},used,`)
  expect(lines[0]).toContain(order.id)
  const log = await text(owner, "/admin/audit")
  expect(log).toContain("printing")
  expect(log).not.toContain(first?.code)
})

test("support withdraws unused codes by their beginning, and may neither generate nor download", async () => {
  await generate(owner, { count: "2", prefix: "FAIR" })
  await generate(owner, { count: "3", prefix: "MAIL" })
  const support = await enrolled(shop, "support")
  const form = { action: "withdraw-promotion-codes", beginning: "mail", reason: "sent to the wrong list" }
  const answer = await actOnPage(support, PATH, { form })
  expect(answer.headers.get("location")).toBe(`/checkout${PATH}?withdrawn=3`)
  const mailed = (await stored()).find(({ code }) => code.startsWith("MAIL"))
  expect(await placed(mailed?.code ?? "", "draft-2")).toMatchObject({ reason: "promotion.ended" })
  expect((await actOnPage(support, PATH, { form })).status).toBe(422)
  const page = await text(support)
  for (const action of ["generate-promotion-codes", "export-promotion-codes"])
    expect(page).not.toContain(action)
})

test("an unknown promotion has no page of codes, and a link writes nothing but numbers into the notice", async () => {
  expect((await owner.request({ path: "/admin/promotions/NOSUCH/codes" })).status).toBe(404)
  expect(await text(owner, `${PATH}?generated=%3Cb%3Efree`)).not.toContain("free")
  expect(await text(owner, `${PATH}?beginning=%22%3E%3Cscript%3Ealert(1)`)).not.toContain("<script>alert")
})

test("the promotions are found by the beginning of their code, and go on both ways", async () => {
  for (let nth = 10; nth < 63; nth++)
    await shop.billing.promotions?.addPromotion({
      code: `MANY${nth}`,
      appliesto: "3",
      type: "Percentage",
      value: "10",
      maxuses: 0,
      maxusesperperson: 0,
      renewals: 0,
      cycles: [],
    })
  const found = await text(owner, "/admin/promotions?q=many")
  expect([found.includes("MANY10"), found.includes("WELCOME10"), found.includes("MANY60")]).toEqual([
    true,
    false,
    false,
  ])
  expect(found).toContain("q=many&amp;after=MANY59")
  const next = await text(owner, "/admin/promotions?q=many&after=MANY59")
  expect([next.includes("MANY62"), next.includes("before=MANY60")]).toEqual([true, true])
  const back = await text(owner, "/admin/promotions?q=many&before=MANY60")
  expect([back.includes("MANY10"), back.includes("after=MANY59"), back.includes("before=")]).toEqual([
    true,
    true,
    false,
  ])
})
