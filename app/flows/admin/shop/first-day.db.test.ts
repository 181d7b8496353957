import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { afterEach, beforeEach, expect, test } from "vitest"
import { DAY } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { FirstDayLeft } from "~/ui/admin/shop/first-day-screen.server"
import { consoleOf, enrolled } from "../../../../tests/fixtures/console"
import { buyPlan } from "../../../../tests/fixtures/purchase"
import { openTestShop, type TestShop } from "../../../../tests/fixtures/test-shop"
import { BACKUP_SUBJECT } from "../backups.server"
import { type FirstDaySettings, firstDay } from "./first-day.server"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())

const settings: FirstDaySettings = {
  publicUrl: "https://shop.test",
  testMode: false,
  gateways: ["offshore", "coinbase"],
  support: null,
  hasCatalogueFile: false,
  hasMail: false,
  hasAlerts: true,
}

async function doneNow(changes: Partial<FirstDaySettings> = {}) {
  const { steps } = await firstDay(shop.billing, { ...settings, ...changes }, shop.services.now())
  return steps.filter(({ done }) => done).map(({ step }) => step)
}

test("a new shop has what its settings say, and nothing else", async () => {
  expect(await doneNow()).toEqual(["gateway", "secrets"])
  expect(await doneNow({ testMode: true, publicUrl: "http://127.0.0.1:3000" })).toEqual([])
  expect(await doneNow({ hasMail: true })).toEqual(["gateway", "secrets", "alerts"])
})

test("the demo's support and plans are not the operator's own", async () => {
  expect(await doneNow({ support: "mailto:support@boxoffice.example" })).not.toContain("brand")
  expect(await doneNow({ support: "https://example.com/help" })).not.toContain("brand")
  expect(await doneNow({ support: "mailto:help@example-tv.com" })).toContain("brand")
  expect(await doneNow({ hasCatalogueFile: true })).toContain("plans")
  const { catalogue } = shop.billing
  if (!catalogue) throw new Error("This shop has no catalogue of its own")
  const { content, latest } = await catalogue.present()
  const plans = content.plans.map((it) => ({ ...it, name: `${it.name} of TV` }))
  const made = { author: "marta@shop.test", reason: null, at: shop.services.now(), seenVersion: latest }
  expect(await catalogue.change({ ...content, plans }, made)).toMatchObject({ kind: "saved" })
  expect(await doneNow()).toContain("plans")
})

test("a payment ticks payment and panel, and the callback of its gateway alone", async () => {
  await buyPlan(shop)
  expect(await doneNow()).toEqual(["gateway", "secrets", "payment", "panel"])
  expect(await doneNow({ gateways: ["offshore"] })).toContain("callback")
  const { missing } = await firstDay(shop.billing, settings, shop.services.now())
  expect(missing).toEqual(["coinbase"])
})

test("a backup counts for seven days", async () => {
  const entry = { action: "create-backup", subject: BACKUP_SUBJECT, outcome: "done" } as const
  const at = shop.services.now()
  await shop.billing.auditLog.append({ ...entry, at, operatorId: null, operator: "admin CLI" })
  shop.wait(7 * DAY - 1)
  expect(await doneNow()).toContain("backup")
  shop.wait(1)
  expect(await doneNow()).not.toContain("backup")
})

test("the page says what is missing and what to do about it", async () => {
  const marta = await enrolled(shop, "viewer")
  const page = await (await marta.request({ path: "/admin/first-day" })).text()
  expect(page).toContain("8 things are missing.")
  expect(page).toContain("No payment was reported yet by: Offshore, Coinbase.")
  expect(page).toContain("Last backup: never.")
  expect(page).toContain('href="/checkout/admin/backups">Open</a>')
})

test("the overview says to an owner what a new shop still misses, and leads there", async () => {
  const overview = async (role: "owner" | "support") =>
    (await (await enrolled(shop, role)).request({ path: "/admin" })).text()
  const page = await overview("owner")
  expect(page).toContain("8 things are missing: A support of your own, Your plans and prices, ")
  expect(page).toContain('href="/checkout/admin/first-day">See what is missing</a>')
  expect(await overview("support")).not.toContain("things are missing")
})

test("the overview of a shop that has all but a backup leads to the backups", () => {
  const steps = [
    { step: "payment", done: true },
    { step: "backup", done: false },
  ] as const
  const state = { steps, missing: [], lastBackup: null, timeZone: "UTC" }
  const page = renderToStaticMarkup(createElement(FirstDayLeft, state))
  expect(page).toContain("Last backup: never.")
  expect(page).toContain('href="/checkout/admin/backups"')
})

test("the page of the first day has what doctor finds, in its words", async () => {
  Object.assign(consoleOf(shop.services), { approveAbove: money(100_00, "EUR") })
  const owner = await enrolled(shop, "owner")
  const endpoint = { description: "", subscriptions: ["*"], sealedSecret: "sealed", at: 1 } as const
  await shop.billing.webhooks.addEndpoint({
    ...endpoint,
    id: "whe_a",
    url: "https://crm.test/hooks?key=do-not-show",
  })
  await shop.billing.webhooks.pauseEndpoint("whe_a", "gone", 2)
  const page = await (await owner.request({ path: "/admin/first-day" })).text()
  for (const part of [
    "no contact is shown: set links.support in SHOP_FILE",
    "whe_a (crm.test) is paused (gone)",
    "APPROVE_ABOVE is set, and only one owner can sign in",
  ])
    expect(page).toContain(part)
  expect(page).not.toContain("do-not-show")
})
