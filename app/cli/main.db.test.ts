import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { NOON, placed } from "../../tests/contracts/billing/billing-fixtures"
import { type CommandLine, openCommandLine } from "../../tests/fixtures/admin-cli"

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine()
})
afterEach(() => line.close())

test("order shows the kind, address, affiliate and timeline reasons of an order", async () => {
  const order = await placed(line.backend, { affiliateId: "12", address: "192.0.2.7" })
  await line.backend.billing.fraudOrder(order.id, "blocked country XK", NOON)
  const { output } = await line.command(`order ${order.id}`)
  for (const part of ["plan  fraud", "from 192.0.2.7, affiliate 12", "flagged", "blocked country XK"])
    expect(output).toContain(part)
  expect((await line.command("orders --status fraud")).output).toContain(order.id)
})

test("output escapes control characters in text typed by a customer", async () => {
  const email = "ana\u001b[2J\r\u009b31m\u202etset@example.test"
  const visitor = { email, locale: "en-en", currency: "EUR", country: "MA", address: null, at: NOON } as const
  const { customerId } = await line.backend.billing.identify(visitor)
  const order = await placed(line.backend, { customerId })
  for (const message of [`order ${order.id}`, "orders"]) {
    const { output } = await line.command(message)
    expect(output).toContain("ana\\u001b[2J\\u000d\\u009b31m\\u202etset@example.test")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(output).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/)
  }
  expect((await line.command("doctor")).output).toMatch(
    /emails +1 customer emails contain control characters/,
  )
})

test.each([
  ["order none", /^Order "none" not found\.$/],
  ["orders --status lost", /Unknown status "lost"\. Valid: .*expired/],
  ["orders --limit few", /--limit must be between 1 and 10000/],
  ["orders --limit 0", /--limit must be between 1 and 10000/],
  ["catalogue lend prices.json", /^Unknown action "lend"\./],
  ["catalogue import /nowhere/prices.json", /\/nowhere\/prices\.json/],
])("%s exits with 1 and an error message", async (message, complaint) => {
  expect(await line.command(message)).toEqual({ exitCode: 1, output: expect.stringMatching(complaint) })
})

test("catalogue import warns of a plan that is never shown", async () => {
  const file = join(line.folder, "four.json")
  await line.command(`catalogue export ${file}`)
  const catalogue = JSON.parse(readFileSync(file, "utf8"))
  const [first] = catalogue.plans
  const more = ["91", "92", "93"].map((pid) => ({ ...first, pid, name: `Plan ${pid}` }))
  writeFileSync(file, JSON.stringify({ ...catalogue, plans: [first, ...more] }))
  const { exitCode, output } = await line.command(`catalogue import ${file}`)
  expect(exitCode).toBe(0)
  expect(output.match(/Warning: .*/g)).toEqual([
    "Warning: plan 93 (Plan 93) is never shown: the checkout shows the first three.",
  ])
})

test("catalogue import rejects an invalid file and names the invalid key", async () => {
  const file = join(line.folder, "prices.json")
  writeFileSync(file, "{}")
  expect(await line.command(`catalogue import ${file}`)).toEqual({
    exitCode: 1,
    output: expect.stringContaining("plans"),
  })
})

test.each([
  ["sing", /^Unknown command "sing"\./],
  ["constructor", /^Unknown command "constructor"\./],
  ["", /^Missing command\./],
  ["order", /^Usage: order NUMBER$/m],
  ["jobs now", /^Usage: jobs$/m],
  ["jobs discard", /^Usage: jobs discard NUMBER$/m],
  ["jobs retry one two", /^Usage: jobs retry \[NUMBER\]$/m],
  ["set-password ana+tv@example.test secret-word", /^Usage: set-password EMAIL$/m],
  ["jobs --limit 3", /Unknown option --limit for "jobs"/],
  ["orders --colour red", /Unknown option --colour for "orders"/],
  ["orders --limit", /Option --limit requires a value/],
])("%j exits with 2, an error message and the help text", async (message, complaint) => {
  const { exitCode, output } = await line.command(message)
  expect(exitCode).toBe(2)
  expect(output).toMatch(complaint)
  expect(output).toMatch(/sign-in-link EMAIL \[--service-id ID\]/)
})

test("affiliates lists clicks, orders and paid orders per affiliate", async () => {
  expect((await line.command("affiliates")).output).toBe("No affiliates.")
  const click = { visitor: "ana", day: "2026-06-15", referer: null, at: NOON }
  await line.backend.billing.recordClick({ ...click, affiliateId: "12" })
  await placed(line.backend, { affiliateId: "12" })
  expect((await line.command("affiliates")).output.split("\n").map((it) => it.trim().split(/\s+/))).toEqual([
    ["Affiliate", "Clicks", "Orders", "Paid"],
    ["12", "1", "1", "0"],
  ])
})
