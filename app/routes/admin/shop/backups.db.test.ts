import { afterEach, beforeEach, expect, test } from "vitest"
import { DAY } from "~/domain/calendar"
import { madeEntry, triedEntry } from "~/flows/admin/backups.server"
import { type ConsoleVisitor, enrolled } from "../../../../tests/fixtures/console"
import { openTestShop, type TestShop } from "../../../../tests/fixtures/test-shop"

let shop: TestShop
let viewer: ConsoleVisitor
beforeEach(async () => {
  shop = await openTestShop()
  viewer = await enrolled(shop, "viewer")
})
afterEach(() => shop.billing.close())

const page = async () => (await viewer.request({ path: "/admin/backups" })).text()
const tried = (error: string | null) => {
  const about = {
    place: "/backups/shop.jsonl",
    madeAt: "2026-11-20T12:00:00.000Z",
    rows: error === null ? 42 : null,
  }
  return shop.billing.auditLog.append(triedEntry({ ...about, at: shop.services.now(), kind: "tried", error }))
}

test("the page says that no backup was made and none was tried", async () => {
  const shown = await page()
  expect(shown).toContain("No backup was made.")
  expect(shown).toContain("Nobody has tried to restore a backup.")
})

test("the page has time, size and place of a backup, also of one whose size an earlier version has not noted", async () => {
  const { auditLog } = shop.billing
  const { after: _, ...former } = madeEntry({ at: shop.services.now(), place: null, size: null })
  await auditLog.append(former)
  await auditLog.append(
    madeEntry({ at: shop.services.now(), place: "/backups/<shop>.jsonl", size: 2_345_678 }),
  )
  const shown = await page()
  for (const part of ["/backups/&lt;shop&gt;.jsonl", "2.3 MB", "not noted"]) expect(shown).toContain(part)
  expect(shown).not.toContain("No backup was made.")
  shop.wait(8 * DAY)
  viewer = await enrolled(shop, "viewer", "other@shop.test")
  expect(await page()).toContain("older than a week")
})

test("a restore that has failed does not count as tried", async () => {
  await tried("The backup is incomplete.")
  const failed = await page()
  expect(failed).toContain("The backup is incomplete.")
  expect(failed).toContain("Nobody has tried to restore a backup")
  await tried(null)
  const good = await page()
  expect(good).not.toContain("Nobody has tried to restore a backup")
  expect(good).toContain("42 rows")
})
