import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type ConsoleVisitor, enrolled, formSent } from "../../../tests/fixtures/console"
import { buyPlan } from "../../../tests/fixtures/purchase"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"
import { alertsIn } from "../../../tests/support/html/form-errors"
import { formsIn } from "../../../tests/support/html/html-form"
import { readHtml } from "../../../tests/support/html/html-tree"

/** What an operator reads who has opened a form, and another one removes what it is about before it is sent. */

let shop: TestShop
let owner: ConsoleVisitor
beforeEach(async () => {
  shop = await openTestShop()
  owner = await enrolled(shop, "owner")
})
afterEach(() => shop.billing.close())

const text = async (path: string) => (await owner.request({ path })).text()

type Gone = {
  readonly path: string
  readonly action: string
  readonly typed: Record<string, string>
  /** Another operator removes it. */
  readonly remove: () => Promise<unknown>
}

/** Opens the page, fills its form in, and sends it once its subject is gone. */
async function sentTooLate({ path, action, typed, remove }: Gone): Promise<Response> {
  const form = formSent(await text(path), action, { reason: "typed before", ...typed })
  await remove()
  return owner.request({ path, form })
}

/** The form of an answer that adds what was removed, as it is filled in, sent once more. */
async function addedAnew(answer: Response, field: string): Promise<Response> {
  const form = formsIn(readHtml(await answer.clone().text())).find((it) => it.has(field) && it.has("reason"))
  if (!form) throw new Error("The answer has no form to add it anew")
  const { action, entries } = form.submission(form.button({}), {})
  return owner.request({
    path: action.replace("/checkout", ""),
    form: entries.filter(([name]) => name !== "preview"),
  })
}

async function withoutProducts(...pids: readonly string[]) {
  const { products, promotions } = await shop.billing.operator.exportCatalogue()
  const left = products.filter(({ id }) => !pids.includes(id))
  await shop.billing.operator.importCatalogue({ products: left, promotions })
}

async function withoutProtection() {
  const { products, promotions } = await shop.billing.operator.exportCatalogue()
  const left = products.map((it) => ({ ...it, options: it.options.filter(({ id }) => id !== "2") }))
  await shop.billing.operator.importCatalogue({ products: left, promotions })
}

async function withoutPromotion(removed: string) {
  const { products, promotions } = await shop.billing.operator.exportCatalogue()
  const left = promotions.filter(({ code }) => code !== removed)
  await shop.billing.operator.importCatalogue({ products, promotions: left })
}

const WELCOME = "/admin/promotions/WELCOME10"

async function endpoint() {
  const id = "whe_crm"
  await shop.billing.webhooks.addEndpoint({
    id,
    url: "https://crm.example.com/hooks",
    description: "CRM",
    subscriptions: ["*"],
    sealedSecret: "sealed",
    at: shop.services.now(),
  })
  return { path: `/admin/webhooks/${id}`, remove: () => shop.billing.webhooks.removeEndpoint(id) }
}

describe("a changed form of what another operator has removed is told so, filled in as a new one", () => {
  test("of a product, which is added with what was typed", async () => {
    const answer = await sentTooLate({
      path: "/admin/catalogue/products/3",
      action: "edit-catalogue",
      typed: { name: "Year with a bow", "price.EUR.annually": "97.30" },
      remove: () => withoutProducts("3"),
    })
    expect([answer.status, alertsIn(await answer.clone().text())]).toEqual([
      422,
      [expect.stringContaining("This product was removed meanwhile")],
    ])
    expect((await addedAnew(answer, "pid")).status).toBe(303)
    const again = (await shop.services.billing.plans()).find(({ id }) => id === "3")
    expect(again).toMatchObject({ name: "Year with a bow", pricing: { EUR: { annually: 97_30 } } })
    const [{ reason } = {}] = await shop.billing.auditLog.newest({ limit: 1, subject: "product 3" })
    expect(reason).toBe("typed before")
  })

  test("of a reseller plan, which is added to the reseller plans", async () => {
    const answer = await sentTooLate({
      path: "/admin/catalogue/products/12",
      action: "edit-catalogue",
      typed: { name: "Agency", credits: "31" },
      remove: () => withoutProducts("12"),
    })
    expect((await addedAnew(answer, "pid")).status).toBe(303)
    const again = (await shop.services.billing.resellerPlans()).find(({ id }) => id === "12")
    expect(again).toMatchObject({ name: "Agency", credits: 31 })
  })

  test("of a product whose preview was asked for", async () => {
    const path = "/admin/catalogue/products/3"
    const form = formSent(await text(path), "edit-catalogue", { name: "Year with a bow" })
    await withoutProducts("3")
    const answer = await owner.request({ path, form: [...form, ["preview", "on"]] })
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining("Year with a bow")])
  })

  test("of an option, with all of its choices", async () => {
    const path = "/admin/catalogue/options/2"
    const answer = await sentTooLate({
      path,
      action: "edit-catalogue",
      typed: { name: "Shield" },
      remove: withoutProtection,
    })
    const page = await answer.clone().text()
    expect([answer.status, alertsIn(page)]).toEqual([
      422,
      [expect.stringContaining("This option was removed meanwhile")],
    ])
    const [form] = formsIn(readHtml(page)).filter((it) => it.has("choice.1"))
    const sent = new Map(form?.submission(undefined, {}).entries)
    expect([sent.get("name"), sent.get("choice.1"), sent.get("reason")]).toEqual([
      "Shield",
      expect.stringMatching(/\S/),
      "typed before",
    ])
  })

  test("of a promotion, which is added with what was typed", async () => {
    const answer = await sentTooLate({
      path: WELCOME,
      action: "edit-promotion",
      typed: { value: "17", maxUses: "40" },
      remove: () => withoutPromotion("WELCOME10"),
    })
    expect([answer.status, alertsIn(await answer.clone().text())]).toEqual([
      422,
      [expect.stringContaining("This promotion was removed meanwhile")],
    ])
    expect((await addedAnew(answer, "maxUses")).headers.get("location")).toContain("WELCOME10?added")
    expect(await shop.billing.promotions?.promotionDetails("WELCOME10")).toMatchObject({ maxUses: 40 })
  })

  test("of a webhook, which is added with what was typed", async () => {
    const answer = await sentTooLate({
      ...(await endpoint()),
      action: "edit-webhook",
      typed: { url: "https://crm.example.com/moved", description: "CRM, moved" },
    })
    expect([answer.status, alertsIn(await answer.clone().text())]).toEqual([
      422,
      [expect.stringContaining("This endpoint was removed meanwhile")],
    ])
    expect((await addedAnew(answer, "url")).status).toBe(200)
    expect(await shop.billing.webhooks.endpoints()).toMatchObject([
      { url: "https://crm.example.com/moved", description: "CRM, moved" },
    ])
  })
})

describe("a form that only does something with what is gone leads to the list, which says so", () => {
  const cases: Readonly<Record<string, () => Promise<Gone> | Gone>> = {
    "a product to remove": () => ({
      path: "/admin/catalogue/products/3",
      action: "remove-product",
      typed: {},
      remove: () => withoutProducts("3"),
    }),
    "a price of renewals": async () => {
      await buyPlan(shop)
      return {
        path: "/admin/catalogue/products/3/renewals?group=EUR+annually&price=89.00&from=2027-03-01",
        action: "move-price",
        typed: {},
        remove: () => withoutProducts("3"),
      }
    },
    "a promotion to switch off": () => ({
      path: WELCOME,
      action: "switch-off-promotion",
      typed: {},
      remove: () => withoutPromotion("WELCOME10"),
    }),
    "codes of a promotion": () => ({
      path: `${WELCOME}/codes`,
      action: "generate-promotion-codes",
      typed: { count: "5" },
      remove: () => withoutPromotion("WELCOME10"),
    }),
    "a webhook to pause": async () => ({ ...(await endpoint()), action: "pause-webhook", typed: {} }),
  }
  test.each(Object.entries(cases))("%s", async (_, gone) => {
    const { action, ...sent } = await gone()
    const answer = await sentTooLate({ action, ...sent })
    const to = answer.headers.get("location") ?? ""
    expect([answer.status, to]).toEqual([303, expect.stringMatching(/\?gone$/)])
    expect(await text(to.replace("/checkout", ""))).toContain("removed meanwhile: nothing was done")
  })
})

test("a form whose page is no more is answered with what was typed, without passwords", async () => {
  const form = {
    action: "block-customer",
    reason: "chargebacks since May",
    password: "seven otters",
    code: "123456",
  }
  const answer = await owner.request({ path: "/admin/customers/none", form })
  const page = await answer.text()
  expect([answer.status, page]).toEqual([404, expect.stringContaining("Nothing of it was done.")])
  expect(page).toContain("chargebacks since May")
  expect(page).not.toContain("seven otters")
})
