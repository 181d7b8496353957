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
  const { output } = await line.command(`orders show ${order.id}`)
  for (const part of ["plan  fraud", "from 192.0.2.7, affiliate 12", "flagged", "blocked country XK"])
    expect(output).toContain(part)
  expect((await line.command("orders list --status fraud")).output).toContain(order.id)
})

test("output escapes control characters in text typed by a customer", async () => {
  const email = "ana\u001b[2J\r\u009b31m\u202etset@example.test"
  const visitor = { email, locale: "en-en", currency: "EUR", country: "MA", address: null, at: NOON } as const
  const { customerId } = await line.backend.billing.identify(visitor)
  const order = await placed(line.backend, { customerId })
  for (const message of [`orders show ${order.id}`, "orders list"]) {
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
  ["orders show none", /^Order "none" not found\.$/],
  ["catalogue import /nowhere/prices.json", /^The folder \/nowhere does not exist\.$/],
])("%s exits with 1 and an error message", async (message, complaint) => {
  expect(await line.command(message)).toEqual({ exitCode: 1, output: expect.stringMatching(complaint) })
})

test.each([
  ["orders list --status lost", /^Unknown status "lost"\. Valid: .*expired/],
  ["orders list --limit few", /^--limit must be between 1 and 10000/],
  ["orders list --limit 0", /^--limit must be between 1 and 10000/],
  ["orders list --limit 10001", /^--limit must be between 1 and 10000/],
  ["orders release 7 --reason \t", /^Option --reason is required\.$/],
  ["audit export - --reason \t", /^Option --reason is required\.$/],
  ["jobs retry", /^Usage: jobs retry NUMBER\|--all$/],
  ["blocks add Atlantis", /^Invalid block "Atlantis"/],
  ["customers sign-in-link ana+tv@example.test --expires-in 91d", /^Invalid --expires-in "91d"/],
  ["resellers grant-credits ana+tv@example.test many", /^Invalid number of credits "many"/],
])("%j exits with 2, since a value is invalid, and says so as JSON too", async (message, complaint) => {
  expect(await line.command(message)).toEqual({ exitCode: 2, output: expect.stringMatching(complaint) })
  const { exitCode, output } = await line.command(`${message} --json`)
  expect([exitCode, JSON.parse(output)]).toEqual([
    2,
    { error: { kind: "usage", message: expect.stringMatching(complaint) } },
  ])
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
  ["sing", "unknown command 'sing'"],
  ["constructor", "unknown command 'constructor'"],
  ["orderz list", "unknown command 'orderz'\n(Did you mean orders?)"],
  ["orders lst", "unknown command 'lst'\n(Did you mean list?)"],
  ["catalogue lend prices.json", "unknown command 'lend'"],
  ["jobs now", "unknown command 'now'"],
  ["orders show", "missing required argument 'NUMBER'"],
  ["jobs discard", "missing required argument 'NUMBER'"],
  ["jobs retry one two", "too many arguments for 'retry'. Expected 1 argument but got 2."],
  [
    "customers set-password ana+tv@example.test secret-word",
    "too many arguments for 'set-password'. Expected 1 argument but got 2.",
  ],
  ["jobs list --limit 3", "unknown option '--limit'"],
  ["orders list --limt 3", "unknown option '--limt'\n(Did you mean --limit?)"],
  ["orders list --limit", "option '--limit <N>' argument missing"],
  ["orders list --limit=", "option '--limit <N>' argument '' is invalid. It is empty."],
])("%j exits with 2, an error message and a pointer to the help text", async (message, complaint) => {
  expect(await line.command(message)).toEqual({
    exitCode: 2,
    output: `error: ${complaint}\n(--help lists what is valid)`,
  })
})

test.each([
  ["", "Commands:"],
  ["customers", "sign-in-link [options] <EMAIL>"],
  ["backup", "create [options] <FILE|->"],
])("%j exits with 2 and the help text", async (message, part) => {
  const { exitCode, output } = await line.command(message)
  expect([exitCode, output]).toEqual([2, expect.stringContaining(part)])
})

test("affiliates lists clicks, orders and paid orders per affiliate", async () => {
  expect((await line.command("affiliates list")).output).toBe("No affiliates.")
  const click = { visitor: "ana", day: "2026-06-15", referer: null, at: NOON }
  await line.backend.billing.recordClick({ ...click, affiliateId: "12" })
  await placed(line.backend, { affiliateId: "12" })
  expect(
    (await line.command("affiliates list")).output.split("\n").map((it) => it.trim().split(/\s+/)),
  ).toEqual([
    ["Affiliate", "Clicks", "Orders", "Paid"],
    ["12", "1", "1", "0"],
  ])
})

test("affiliates show names the orders of one affiliate in some days, in pages", async () => {
  for (const at of [NOON, NOON + 1, NOON + 2]) await placed(line.backend, { affiliateId: "12", at })
  await placed(line.backend, { affiliateId: "13" })
  const days = "--from 2026-06-15 --to 2026-06-15"
  const first = JSON.parse((await line.command(`affiliates show 12 ${days} --limit 2 --json`)).output)
  expect(first.affiliate).toEqual({ id: "12", clicks: 0, orders: 3, paid: 0, amounts: [] })
  expect(first.orders).toHaveLength(2)
  const rest = await line.command(`affiliates show 12 ${days} --after ${first.next} --json`)
  const second = JSON.parse(rest.output)
  expect([second.orders.length, second.next]).toEqual([1, null])
  expect((await line.command(`affiliates show 12 ${days}`)).output.split("\n")).toHaveLength(6)
  expect(await line.command("affiliates show 99")).toEqual({
    exitCode: 1,
    output: 'Affiliate "99" has had no click and no order.',
  })
  expect((await line.command("affiliates show 12 --after here")).exitCode).toBe(2)
})

test("affiliates lists what is of some days, with paid amounts, and rejects what is no span", async () => {
  const click = { affiliateId: "12", referer: null, at: NOON }
  await line.backend.billing.recordClick({ ...click, visitor: "ana", day: "2026-06-14" })
  await line.backend.billing.recordClick({ ...click, visitor: "ben", day: "2026-06-15" })
  const listed = await line.command("affiliates list --from 2026-06-15 --to 2026-06-15 --json")
  expect(JSON.parse(listed.output)).toMatchObject({
    from: "2026-06-15",
    to: "2026-06-15",
    affiliates: [{ id: "12", clicks: 1, orders: 0, paid: 0, amounts: [] }],
  })
  for (const options of ["--from 2026-02-30", "--from 2026-06-15 --to 2026-06-14"])
    expect(await line.command(`affiliates list ${options}`)).toMatchObject({ exitCode: 2 })
})
