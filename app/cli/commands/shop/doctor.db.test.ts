import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { dayIn, daysAfter } from "~/domain/calendar"
import { ACCESS_IS_NEW_FOR } from "~/domain/operators/approval"
import { NOON } from "../../../../tests/contracts/billing/billing-fixtures"
import { type CommandLine, openCommandLine } from "../../../../tests/fixtures/admin-cli"

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine()
})
afterEach(() => line.close())

type Environment = Parameters<CommandLine["command"]>[2]

/** The line about a check in a shop with a shop file. */
async function lineAbout(check: string, shop: object, environment: Environment = {}) {
  const file = join(line.folder, "shop.json")
  writeFileSync(file, JSON.stringify(shop))
  const { output } = await line.command("doctor", "", { SHOP_FILE: file, ...environment })
  return output.split("\n").find((it) => it.slice(6).startsWith(check))
}

describe("doctor", () => {
  test("names the contact for support, or that there is none", async () => {
    const support = "mailto:help@tv.example"
    expect(await lineAbout("support", { links: { support }, apps: [] })).toContain(support)
    expect(await lineAbout("support", { links: {}, apps: [] })).toContain(
      "no contact is shown: set links.support in SHOP_FILE",
    )
  })

  test("fails where the shop file has a field that nothing reads, and names it", async () => {
    expect(await lineAbout("shop file", { taxes: {}, document: {} })).toMatch(
      /^FAIL {2}shop file .* no such field: taxes, document\./,
    )
    expect(await lineAbout("shop file", {})).toBeUndefined()
  })

  test("fails where every gateway that is enabled is drained", async () => {
    await line.command("gateways drain offshore --reason fees")
    expect(await lineAbout("payment methods", {})).toBeUndefined()
    expect(await lineAbout("payment methods", {}, { GATEWAYS: "offshore" })).toMatch(
      /^FAIL .* none is offered, and nothing can be bought: offshore is drained/,
    )
  })

  const law = (withdrawalDays?: number) => ({
    links: {},
    apps: [],
    legal: { law: { countries: { DE: { withdrawalDays } } } },
  })
  const mail = { SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "Shop <shop@tv.invalid>" }

  test("fails where buyers may withdraw and no mail acknowledges it", async () => {
    const refusal = /^FAIL .* not acknowledged: set SMTP_URL/
    const isPublic = { PUBLIC_URL: "https://tv.invalid", SANDBOX: "on" }
    expect(await lineAbout("withdrawals", law(14), isPublic)).toMatch(refusal)
    expect(await lineAbout("withdrawals", law(14), { ...mail, MAIL_ORDERS: "off" })).toMatch(refusal)
    expect(await lineAbout("withdrawals", law(14), mail)).toMatch(/^ok .* acknowledged by mail/)
  })

  test("fails where the rates of tax were confirmed more than a year ago, or nothing can be taxed", async () => {
    const registered = [{ country: "DE", number: "DE123456789" }]
    const taxing = (confirmedOn: string | null, registrations = registered) =>
      lineAbout("tax", { links: {}, apps: [], tax: { country: "DE", confirmedOn, registrations } })
    const today = new Date().toISOString().slice(0, 10)
    expect(await taxing(null)).toBeUndefined()
    expect(await taxing(today)).toMatch(/^ok .* rates confirmed on /)
    expect(await taxing("2024-01-01")).toMatch(/^FAIL .* confirmed on 2024-01-01, more than a year ago/)
    expect(await taxing(today, [])).toMatch(/^FAIL .* rules of SHOP_FILE, have no registration/)
  })

  describe("of a shop that sells in other currencies than it accounts in", () => {
    const dayAgo = (days: number) => daysAfter(dayIn("UTC", NOON), -days)
    const pounds = (rate: string, daysAgo: number) => ({
      base: "EUR",
      quote: "GBP",
      rate,
      from: dayAgo(daysAgo),
    })
    const dollars = { base: "USD", quote: "EUR", rate: "0.86", from: dayAgo(1) }
    const about = (...rates: readonly object[]) => accounting({ currency: "EUR", exchangeRates: rates })
    async function accounting(of?: object) {
      const registrations = [{ country: "DE", number: "DE123456789" }]
      const tax = { country: "DE", confirmedOn: dayAgo(0), registrations, accounting: of }
      return lineAbout("exchange rates", { links: {}, apps: [], tax })
    }

    test("fails where no exchange rate holds today, or one is more than 60 days old", async () => {
      expect(await about(dollars)).toMatch(
        /^FAIL .* none of GBP holds today: invoices in it are issued without their tax in EUR/,
      )
      expect(await about(pounds("0.87", -2))).toMatch(/^FAIL .* none of GBP holds today/)
      expect(await about(pounds("0.87", 62))).toMatch(/^FAIL .* 1 EUR = 0\.87 GBP, .* more than 60 days old/)
      expect(await about(pounds("0.87", 59), dollars)).toMatch(/^ok .* 1 EUR = 0\.87 GBP, from /)
    })

    test("names an exchange rate that is far from the one before, and a shop without an accounting currency", async () => {
      expect(await about(pounds("0.87", 30), pounds("1.15", 1))).toMatch(
        /^ {6}exchange rates .* 1\.15 GBP, .* differs by more than a fifth/,
      )
      expect(await accounting()).toMatch(
        /^ {6}exchange rates .* no accounting currency: invoices in EUR, GBP/,
      )
    })
  })

  test("has the checklist of the first day, in which a missing step is no failure", async () => {
    const step = (name: string) => lineAbout(`first day: ${name}`, { links: {}, apps: [] })
    expect(await step("backup")).toBe(
      "      first day: backup        missing: a backup of the last seven days (backup create FILE)",
    )
    await line.command(`backup create ${join(line.folder, "backup.json")}`)
    expect(await step("backup")).toMatch(/^ok {4}first day: backup +a backup of the last seven days/)
  })

  test("fails where amounts wait for a second operator and there is one owner", async () => {
    const owners = (limit: string) =>
      lineAbout("second operator", { links: {}, apps: [] }, { APPROVE_ABOVE: limit })
    expect(await owners("")).toBeUndefined()
    expect(await owners("50.00")).toMatch(/^FAIL .* no owner can sign in/)
    for (const name of ["marta", "jonas", "ines"]) {
      const role = name === "ines" ? "support" : "owner"
      await line.command(`operators add ${name}@shop.test --role ${role}`)
    }
    expect(await owners("50.00")).toMatch(/^FAIL .* no owner can sign in/)
    const setUp = (name: string) =>
      line.spoil(
        `update operators set password_hash = 'x', link_hash = null where email = '${name}@shop.test'`,
      )
    for (const name of ["marta", "ines"]) setUp(name)
    expect(await owners("50.00")).toMatch(/^FAIL .* only one owner can sign in/)
    setUp("jonas")
    expect(await owners("50.00")).toMatch(/^ok .* 2 owners can confirm/)
    line.spoil("update operators set counts_at_once = 0 where email = 'jonas@shop.test'")
    expect(await owners("50.00")).toMatch(
      /^ {6}.* only one owner can confirm until \d{4}-\d\d-\d\d \d\d:\d\d UTC/,
    )
    line.spoil(`update operators set access_at = access_at - ${ACCESS_IS_NEW_FOR}`)
    expect(await owners("50.00")).toMatch(/^ok .* 2 owners can confirm/)
  })

  test("fails for an endpoint that the shop has paused, and not for one that an operator has paused", async () => {
    const about = () => lineAbout("webhooks", { links: {}, apps: [] })
    expect(await about()).toBeUndefined()
    const { output } = await line.command("webhooks add https://crm.example.com/hooks?key=hidden --json")
    const { webhook } = JSON.parse(output)
    expect(await about()).toBe(`ok    webhooks                 ${webhook} (crm.example.com) gets events`)
    await line.backend.webhooks.pauseEndpoint(webhook, "gone", Date.now())
    expect(await about()).toMatch(/^FAIL .*\(crm\.example\.com\) is paused \(gone\): .* webhooks resume whe_/)
    await line.command(`webhooks resume ${webhook}`)
    await line.command(`webhooks pause ${webhook}`)
    expect(await about()).toMatch(/^ {6}webhooks .*paused \(operator\)/)
  })

  test("names a variable that is likely meant to be a setting, which is no failure", async () => {
    expect(await lineAbout("settings", { links: {}, apps: [] })).toBeUndefined()
    const mistyped = await lineAbout("settings", { links: {}, apps: [] }, { RETENTION_DAY: "365" })
    expect(mistyped).toMatch(/^ {6}settings +RETENTION_DAY is no setting; RETENTION_DAYS is, and is not set$/)
  })

  test("says nothing of withdrawals where there are none", async () => {
    expect(await lineAbout("withdrawals", law())).toBeUndefined()
  })
})
