import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { DAY } from "~/domain/calendar"
import { tokenHash } from "~/security/operator-tokens.server"
import { NOON } from "../../../../tests/contracts/billing/billing-fixtures"
import { type CommandLine, openCommandLine } from "../../../../tests/fixtures/admin-cli"

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine()
})
afterEach(() => line.close())

function tokenIn(output: string): string {
  const link = new URL(output.split("\n", 1)[0] ?? "")
  expect(`${link.origin}${link.pathname}`).toBe("http://127.0.0.1:3000/checkout/admin/set-up")
  return link.searchParams.get("token") ?? ""
}

const byToken = (token: string, now = NOON) => line.backend.operators.byLink(tokenHash(token), now)

test("operators add prints a one-time link that works for a day", async () => {
  const { exitCode, output } = await line.command("operators add marta@shop.test --role owner")
  expect(exitCode).toBe(0)
  const token = tokenIn(output)
  expect(await byToken(token, NOON + DAY - 1)).toMatchObject({ email: "marta@shop.test", role: "owner" })
  expect(await byToken(token, NOON + DAY)).toBeNull()
  expect((await line.command("operators list")).output).toMatch(/^marta@shop\.test {2}owner {2}link not used/)
})

test.each([
  ["operators add marta@shop.test --role boss", 2, "must be owner, support, viewer"],
  ["operators add marta --role owner", 2, "Invalid email address"],
  ["operators add marta@shop.test", 2, "required option '--role <ROLE>'"],
  ["operators reset nobody@shop.test", 1, "not found"],
])("%s is refused", async (command, code, message) => {
  const { exitCode, output } = await line.command(command)
  expect([exitCode, output]).toEqual([code, expect.stringContaining(message)])
  expect(await line.backend.operators.exist()).toBe(false)
})

test("operators add refuses a second operator with the same e-mail", async () => {
  await line.command("operators add marta@shop.test --role owner")
  const { exitCode, output } = await line.command("operators add MARTA@shop.test --role viewer")
  expect([exitCode, output]).toEqual([1, expect.stringContaining("is an operator already")])
})

test("operators reset replaces the link, also of a disabled operator", async () => {
  const first = tokenIn((await line.command("operators add marta@shop.test --role owner")).output)
  await line.command("operators disable marta@shop.test")
  expect(await byToken(first)).toBeNull()
  expect((await line.command("operators list")).output).toContain("disabled 2026-06-15 12:00")
  const second = tokenIn((await line.command("operators reset marta@shop.test")).output)
  expect([await byToken(first), await byToken(second)]).toEqual([null, expect.anything()])
})

test("operators add needs OPERATOR_SECRETS off loopback", async () => {
  const shop = { PUBLIC_URL: "https://shop.test", SANDBOX: "on" }
  const { exitCode, output } = await line.command("operators add marta@shop.test --role owner", "", shop)
  expect([exitCode, output]).toEqual([1, expect.stringContaining("OPERATOR_SECRETS is required")])
  const secrets = { ...shop, OPERATOR_SECRETS: "x".repeat(32) }
  expect((await line.command("operators add marta@shop.test --role owner", "", secrets)).exitCode).toBe(0)
})

test("every change of operators is in the audit log, which is exported and verified", async () => {
  await line.command("operators add marta@shop.test --role owner")
  await line.command("operators reset marta@shop.test")
  await line.command("operators end-sessions marta@shop.test")
  await line.command("operators disable marta@shop.test")
  const file = join(line.folder, "audit.jsonl")
  await line.command(`audit export ${file} --reason audit`)
  const entries = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((it) => JSON.parse(it))
    .filter(({ outcome }) => outcome === "done")
  expect(entries.map(({ action, operator }) => [action, operator])).toEqual([
    ["add-operator", "admin CLI"],
    ["reset-operator", "admin CLI"],
    ["end-operator-sessions", "admin CLI"],
    ["disable-operator", "admin CLI"],
  ])
  expect(entries[0].after).toEqual({ email: "marta@shop.test", role: "owner" })
  expect((await line.command("audit verify")).output).toContain("10 entries, all unchanged")
  const today = new Date(NOON).toISOString().slice(0, 10)
  const listed = async (days: string) => JSON.parse((await line.command(`audit list ${days} --json`)).output)
  expect((await listed(`--from ${today} --to ${today}`)).entries).toHaveLength(10)
  expect((await listed("--to 2026-01-01")).entries).toEqual([])
  expect((await line.command("audit list --from yesterday")).exitCode).toBe(2)
  expect((await line.command("audit list --limit 1")).output).toMatch(/^10 {2}.*export-audit-log/)
  line.spoil("update audit_log set operator = 'jonas' where position = 2")
  expect(await line.command("audit verify")).toEqual({
    exitCode: 1,
    output: "Entry 2 was changed, or one before it removed.",
  })
})
