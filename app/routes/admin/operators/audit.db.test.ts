import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { DAY, dayIn, MINUTE } from "~/domain/calendar"
import { actOnPage, type ConsoleVisitor, enrolled } from "../../../../tests/fixtures/console"
import { openShopOn, type ShopOnEngine } from "../../../../tests/fixtures/shop-on-engine"
import { engines } from "../../../../tests/fixtures/temporary-database"
import type { TestShop } from "../../../../tests/fixtures/test-shop"

const PATH = "/admin/audit"

describe.each(engines)("the audit log in the console on %s", (engine) => {
  let opened: ShopOnEngine
  let shop: TestShop
  let owner: ConsoleVisitor
  beforeEach(async () => {
    opened = await openShopOn(engine)
    shop = opened.shop
    owner = await enrolled(shop, "owner")
  })
  afterEach(() => opened.close())

  const page = async (query = "", who = owner) => (await who.request({ path: `${PATH}${query}` })).text()
  const rows = (text: string) => (text.match(/<tr>/g)?.length ?? 1) - 1
  const add = (count: number, entry: { operator: string; action: string; subject: string }) =>
    Promise.all(
      Array.from({ length: count }, () =>
        shop.billing.auditLog.append({
          ...entry,
          operatorId: null,
          outcome: "done",
          at: shop.services.now(),
        }),
      ),
    )

  test("is listed by operator, action and object, in pages that keep the filter", async () => {
    await add(2, { operator: "admin CLI", action: "add-note", subject: "order 1" })
    for (let index = 0; index < 51; index++)
      await add(1, { operator: "admin CLI", action: "retry-job", subject: "job 7" })
    expect(rows(await page("?action=add-note"))).toBe(2)
    expect(rows(await page("?action=add-note&subject=order+1&operator=admin+CLI"))).toBe(2)
    expect(rows(await page("?action=add-note&subject=job+7"))).toBe(0)
    const first = await page("?action=retry-job&subject=job+7")
    const [, older = ""] = /audit([^"]+)">Older entries</.exec(first) ?? []
    expect([rows(first), older]).toEqual([
      50,
      expect.stringMatching(/^\?action=retry-job&amp;subject=job\+7&amp;before=\d+$/),
    ])
    const last = await page(older.replaceAll("&amp;", "&"))
    expect([rows(last), last.includes("Older entries")]).toEqual([1, false])
    const id = /<option value="([^"]+)">owner@shop.test</.exec(first)?.[1] ?? ""
    const own = await page(`?operator=${id}`)
    expect([own.includes(">sign-in<"), own.includes("<td>retry-job</td>")]).toEqual([true, false])
  })

  test("leads from an entry to the page of what it is about, where there is one", async () => {
    const entry = { operator: "admin CLI", action: "add-note" }
    for (const subject of ["order 7BQ697JNZK", "job 7", "numbers of invoices"])
      await add(1, { ...entry, subject })
    const log = await page()
    expect(log).toContain('href="/checkout/admin/orders/7BQ697JNZK">order 7BQ697JNZK</a>')
    for (const subject of ["job 7", "numbers of invoices"]) expect(log).toContain(`<td>${subject}</td>`)
    const [, account = ""] = /href="\/checkout([^"]+)">operator /.exec(log) ?? []
    expect(await (await owner.request({ path: account })).text()).toContain("<h1>owner@shop.test")
  })

  test("is listed by day, both days included, in pages that keep the days and the other filters", async () => {
    const first = dayIn("UTC", shop.services.now())
    for (let index = 0; index < 51; index++)
      await add(1, { operator: "admin CLI", action: "retry-job", subject: "job 7" })
    shop.wait(DAY)
    await add(2, { operator: "admin CLI", action: "retry-job", subject: "job 7" })
    shop.wait(DAY)
    owner = await enrolled(shop, "owner", "late@shop.test")
    const [second, third] = [DAY, 0].map((before) => dayIn("UTC", shop.services.now() - before))
    await add(3, { operator: "admin CLI", action: "retry-job", subject: "job 7" })
    const jobs = (query: string) => page(`?action=retry-job&${query}`)
    expect(rows(await jobs(`from=${second}`))).toBe(5)
    expect(rows(await jobs(`from=${second}&until=${second}`))).toBe(2)
    expect(rows(await jobs(`from=${third}&until=${second}`))).toBe(0)
    expect(rows(await page(`?from=${third}&subject=job+7`))).toBe(3)
    const newest = await jobs(`until=${first}`)
    const [, older = ""] = /audit([^"]+)">Older entries</.exec(newest) ?? []
    expect([rows(newest), older]).toEqual([
      50,
      expect.stringMatching(new RegExp(`^\\?action=retry-job&amp;until=${first}&amp;before=\\d+$`)),
    ])
    expect(rows(await page(older.replaceAll("&amp;", "&")))).toBe(1)
  })

  test.each(["2026-02-31", "yesterday", "2026-1-1"])(
    "a day that is none, %s, filters nothing and is named",
    async (day) => {
      const shown = await page(`?from=${day}`)
      expect(shown).toContain("These are not valid and were left out: From day")
      expect(rows(shown)).toBeGreaterThan(0)
    },
  )

  test("an entry whose clock was ahead is found by its own day", async () => {
    const late = shop.services.now() + 2 * DAY
    const entry = { operator: "admin CLI", action: "skewed", subject: "x", operatorId: null } as const
    await shop.billing.auditLog.append({ ...entry, outcome: "done", at: late })
    await add(2, { operator: "admin CLI", action: "retry-job", subject: "job 7" })
    const [day, today] = [late, shop.services.now()].map((at) => dayIn("UTC", at))
    expect(rows(await page(`?from=${day}&until=${day}`))).toBe(1)
    expect(await page(`?from=${today}&until=${today}&action=skewed`)).toContain("There are no such entries.")
  })

  test("a viewer chooses operators by masked emails, and gets no file", async () => {
    const viewer = await enrolled(shop, "viewer")
    const shown = await page("", viewer)
    expect([shown.includes("owner@shop.test"), shown.includes("o…@shop.test</option>")]).toEqual([
      false,
      true,
    ])
    expect(shown).not.toContain("Download the whole log")
  })

  test("is checked on demand: an entry that was changed is named", async () => {
    expect(await page("?check")).toContain("entries, all unchanged.")
    await opened.database.db
      .updateTable("audit_log")
      .set({ reason: "nothing" })
      .where("position", "=", 1)
      .execute()
    expect(await page("?check")).toContain("Entry 1 was changed, or one before it removed.")
    expect(await page()).not.toContain("Entry 1 was changed")
  })

  test("is not handed out without a reason", async () => {
    const form = { action: "export-audit-log", reason: " " }
    const refused = await actOnPage(owner, PATH, { form })
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining("Write down why.")])
  })

  test("an owner downloads it with password and code, once for each form, and the log says so", async () => {
    const form = { action: "export-audit-log", reason: "for the auditor" }
    const answer = await actOnPage(owner, PATH, { form })
    expect(answer.headers.get("content-disposition")).toContain("audit-log.jsonl")
    const lines = (await answer.text()).trim().split("\n")
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({
      action: "export-audit-log",
      reason: "for the auditor",
    })
    expect(lines.map((line) => JSON.parse(line).position)).toEqual(lines.map((_, index) => index + 1))
    shop.wait(11 * MINUTE)
    const unproven = await actOnPage(owner, PATH, { form })
    expect([unproven.status, await unproven.text()]).toEqual([
      422,
      expect.stringContaining("Type your password"),
    ])
  })
})
