import { afterEach, beforeEach, describe, expect, test } from "vitest"
import {
  actOnPage,
  afterCheckOf,
  type ConsoleVisitor,
  enrolled,
  hiddenFieldsIn,
} from "../../../../tests/fixtures/console"
import { buyPlan } from "../../../../tests/fixtures/purchase"
import { openResellerAccount } from "../../../../tests/fixtures/reseller-account"
import { openShopOn, type ShopOnEngine } from "../../../../tests/fixtures/shop-on-engine"
import { engines } from "../../../../tests/fixtures/temporary-database"
import type { TestShop } from "../../../../tests/fixtures/test-shop"

const PATH = "/admin/resellers"
const RITA = "rita@example.test"

describe.each(engines)("resellers of operators on %s", (engine) => {
  let opened: ShopOnEngine
  let shop: TestShop
  let owner: ConsoleVisitor
  let rita: Awaited<ReturnType<typeof openResellerAccount>>
  beforeEach(async () => {
    opened = await openShopOn(engine)
    shop = opened.shop
    owner = await enrolled(shop, "owner")
    rita = await openResellerAccount(shop, RITA)
  })
  afterEach(() => opened.close())

  const text = async (who: ConsoleVisitor, path: string) => (await who.request({ path })).text()
  const page = () => `${PATH}/${rita.customer.id}`
  const grant = (who: ConsoleVisitor, fields: Record<string, string> = {}) =>
    actOnPage(who, page(), {
      form: { action: "grant-reseller-credits", credits: "10", reason: "outage in May", ...fields },
    })
  const credits = async () => (await shop.billing.operator.reseller(rita.customer.id))?.credits

  test("the list has resellers only, with credits left and lines, and finds them by the beginning of their email", async () => {
    const buyer = await buyPlan(shop)
    await rita.line("living room")
    const listed = await text(owner, PATH)
    expect(listed).toContain(RITA)
    expect(listed).not.toContain(buyer.email)
    expect(listed).toMatch(/data-label="Credits left">24</)
    expect(listed).toMatch(/data-label="Lines">1</)
    expect(await text(owner, `${PATH}?q=RIT`)).toContain(RITA)
    expect(await text(owner, `${PATH}?q=${buyer.email}`)).toContain("No reseller has an email like this.")
  })

  test("finds a reseller by an email that they had before, a viewer by the whole one", async () => {
    const change = { customerId: rita.customer.id, to: "maria@example.test", at: shop.services.now() }
    await shop.billing.operator.changeEmail(change)
    const viewer = await enrolled(shop, "viewer")
    expect(await text(owner, `${PATH}?q=rit`)).toContain("maria@example.test")
    expect(await text(owner, `${PATH}?q=mar`)).toContain("maria@example.test")
    expect(await text(viewer, `${PATH}?q=${RITA}`)).toContain("m…@example.test")
    expect(await text(viewer, `${PATH}?q=rit`)).toContain("No reseller has an email like this.")
  })

  test("the list is read by key, both ways", async () => {
    await openResellerAccount(shop, "sam@example.test")
    const { operator } = shop.billing
    const all = await operator.listResellers({ limit: 9 })
    const [first, second] = all
    expect(all.length).toBe(2)
    expect(await operator.listResellers({ limit: 9, after: first?.id })).toEqual([second])
    expect(await operator.listResellers({ limit: 9, before: second?.id })).toEqual([first])
  })

  test("credits that another operator has granted since the page was opened, or at the same moment, are told first", async () => {
    const other = await enrolled(shop, "owner", "jonas@shop.test")
    const form = { action: "grant-reseller-credits", credits: "10", reason: "outage in May" }
    const before = (await credits()) ?? 0
    const former = hiddenFieldsIn(await text(other, page()), "grant-reseller-credits")
    expect((await grant(owner)).status).toBe(303)
    const late = await other.request({ path: page(), form: { ...form, ...former } })
    expect([late.status, await late.text()]).toEqual([
      422,
      expect.stringContaining("Credits were granted since"),
    ])
    afterCheckOf(shop, other, () => grant(owner))
    const same = await grant(other)
    expect([same.status, await same.text()]).toEqual([
      422,
      expect.stringContaining("Credits were granted since"),
    ])
    expect(await credits()).toBe(before + 20)
  })

  test("a line that the reseller creates meanwhile keeps nobody from granting credits", async () => {
    const form = { action: "grant-reseller-credits", credits: "10", reason: "outage in May" }
    const fields = hiddenFieldsIn(await text(owner, page()), "grant-reseller-credits")
    await rita.line("living room")
    expect((await owner.request({ path: page(), form: { ...form, ...fields } })).status).toBe(303)
  })

  test("a viewer sees masked emails, finds nobody by the beginning of one, and has no action", async () => {
    const viewer = await enrolled(shop, "viewer")
    for (const path of [PATH, page(), `${PATH}?q=${RITA}`]) {
      const shown = await text(viewer, path)
      expect([path, shown.includes("r…@example.test"), shown.includes(RITA)]).toEqual([
        path,
        true,
        path.includes("?q="),
      ])
      expect(shown).not.toContain("grant-reseller-credits")
    }
    expect(await text(viewer, `${PATH}?q=rita`)).toContain("No reseller has an email like this.")
  })

  test("the page has the ledger with reasons, and the lines with what the reseller calls their customers, as text only", async () => {
    const line = await rita.line('<script>alert("x")</script>')
    await grant(owner)
    const shown = await text(owner, page())
    for (const part of ["plan paid", "+25", "line created", "-1", "+10", "outage in May", line.username])
      expect(shown).toContain(part)
    expect(shown).toContain(`href="/checkout/admin/services/${line.id}"`)
    expect(shown).not.toContain("<script>alert")
  })

  test("an owner grants credits with a reason, once by a form, and the audit log has it", async () => {
    const answer = await grant(owner)
    expect([answer.status, answer.headers.get("location")]).toEqual([
      303,
      `/checkout${page()}?done=grant-reseller-credits&count=10`,
    ])
    expect(await credits()).toBe(35)
    const fields = hiddenFieldsIn(await text(owner, page()), "grant-reseller-credits")
    const form = { ...fields, credits: "1", reason: "twice" }
    for (const told of ["?done=grant-reseller-credits&count=1", "?sent-before"]) {
      const sent = await owner.request({ path: page(), form })
      expect(sent.headers.get("location")).toBe(`/checkout${page()}${told}`)
    }
    expect(await credits()).toBe(36)
    const [entry] = await shop.billing.auditLog.newest({ limit: 1 })
    expect(entry).toMatchObject({ action: "grant-reseller-credits", reason: "twice", outcome: "done" })
  })

  test.each([
    [{ credits: "0" }, "a number from 1 to 100,000"],
    [{ credits: "-5" }, "a number from 1 to 100,000"],
    [{ credits: "100001" }, "a number from 1 to 100,000"],
    [{ reason: " " }, "Write down why."],
  ])("with %j nothing is granted, and what was typed stays", async (fields, message) => {
    const answer = await grant(owner, fields)
    const shown = await answer.text()
    expect([answer.status, shown.includes(message)]).toEqual([422, true])
    expect(shown).toContain(`value="${{ credits: "10", ...fields }.credits}"`)
    expect(await credits()).toBe(25)
  })

  test("support may not grant, and a customer who is no reseller has no page", async () => {
    const support = await enrolled(shop, "support")
    expect(await text(support, page())).not.toContain("grant-reseller-credits")
    const { customerId } = await buyPlan(shop)
    expect((await owner.request({ path: `${PATH}/${customerId}` })).status).toBe(404)
    expect((await owner.request({ path: `${PATH}/x'--` })).status).toBe(404)
    expect(await credits()).toBe(25)
  })

  test("the statement has the entries of its days, in which no name is a formula", async () => {
    await rita.line('=HYPERLINK("https://evil.test")')
    const today = new Date(shop.services.now()).toISOString().slice(0, 10)
    const file = async (fields: Record<string, string>) => {
      const form = { action: "export-reseller-credits", reason: "tax", ...fields }
      const answer = await actOnPage(owner, page(), { form })
      expect(answer.headers.get("content-disposition")).toBe('attachment; filename="credits.csv"')
      return (await answer.text()).trim().split("\r\n")
    }
    const [head, ...rows] = await file({ from: "2020-01-01", to: today })
    expect(head).toContain("time,cause,credits,order,customer,reason")
    expect(rows.length).toBe(2)
    expect(rows.find((it) => it.includes(",line,-1,"))).toContain(`"'=HYPERLINK(""https://evil.test"")"`)
    expect((await file({ to: "2020-01-01" })).length).toBe(1)
  })

  test("a ledger of many entries at one moment is read to its end, each entry once", async () => {
    const at = shop.services.now()
    for (let nth = 0; nth < 7; nth++)
      await shop.billing.operator.grantResellerCredits({
        customerId: rita.customer.id,
        amount: 1,
        reason: `n${nth}`,
        at,
      })
    const seen: (string | null)[] = []
    let beyond: { at: number; id: string } | undefined
    for (let pages = 0; pages < 5; pages++) {
      const entries = await shop.billing.operator.resellerEntries(rita.customer.id, { beyond, limit: 3 })
      seen.push(...entries.map(({ id }) => id))
      beyond = entries.at(-1) ?? beyond
    }
    expect([seen.length, new Set(seen).size]).toEqual([8, 8])
  })
})
