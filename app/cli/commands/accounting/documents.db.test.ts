import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type CommandLine, openCommandLine } from "../../../../tests/fixtures/admin-cli"

let line: CommandLine
let shopFile: { SHOP_FILE: string }
beforeEach(async () => {
  line = await openCommandLine()
  shopFile = { SHOP_FILE: join(line.folder, "shop.json") }
  const tax = {
    country: "DE",
    confirmedOn: "2026-06-01",
    registrations: [{ country: "DE", number: "DE123456789" }],
  }
  writeFileSync(shopFile.SHOP_FILE, JSON.stringify({ links: {}, apps: [], tax }))
})
afterEach(() => line.close())

const run = (command: string) => line.command(command, "", shopFile)
const finding = async () =>
  (await run("doctor")).output.split("\n").find((it) => it.includes("document numbers"))

test("invoices go on after a number only with --confirm, and the audit log says so", async () => {
  const asked = await run("documents continue-after 2026-000123 --reason lost")
  expect(asked).toEqual({
    exitCode: 0,
    output:
      "The next invoice is 2026-000124; the last one here was 2026-000000. Nothing is changed yet: --confirm does it, and nothing takes it back.",
  })
  expect((await run("audit list")).output).not.toContain("continue-numbers")
  const done = await run("documents continue-after 2026-000123 --reason lost --confirm --json")
  expect(JSON.parse(done.output)).toEqual({
    kind: "invoice",
    last: "2026-000000",
    next: "2026-000124",
    skipped: 123,
    done: true,
  })
  const { entries } = JSON.parse((await run("audit list --json --limit 1")).output)
  expect(entries).toMatchObject([
    { action: "continue-numbers", subject: "numbers of invoices", reason: "lost", outcome: "done" },
  ])
})

test.each([
  ["123", "This is no number of an invoice or credit note of this shop"],
  ["2025-000123", "Only the numbers of this year are still given."],
  ["2026-000008", "A later number was given already. Numbers never go back."],
])("%s is refused in words", async (number, words) => {
  await run("documents continue-after 2026-000009 --reason lost --confirm")
  const { exitCode, output } = await run(`documents continue-after ${number} --reason lost --confirm`)
  expect([exitCode, output]).toEqual([1, expect.stringContaining(words)])
})

test("a shop that has issued no invoice and does not tax says that it gives no numbers", async () => {
  expect(await line.command("documents continue-after 2026-000123 --reason lost")).toEqual({
    exitCode: 1,
    output: "This shop gives no numbers: it has no rules of tax and has issued no invoice. Set up tax first.",
  })
})

test("after a restore into an empty database the operator is asked for the last numbers, until both are said", async () => {
  await run("documents continue-after 2026-000007 --reason begins --confirm")
  const file = join(line.folder, "backup.jsonl")
  await run(`backup create ${file}`)
  expect(await finding()).toBeUndefined()
  const other = await openCommandLine("nobody")
  const [first, lost] = [line, other]
  line = lost
  const { output } = await run(`backup restore ${file}`)
  for (const number of ["2026-000008", "CN-2026-000001"]) expect(output).toContain(`${number} is given next.`)
  expect(await finding()).toMatch(
    /^FAIL.*"documents continue-after 2026-000007" and "documents continue-after CN-2026-000000"/,
  )
  await run("documents continue-after 2026-000031 --reason receipts --confirm")
  expect(await finding()).toMatch(/^FAIL.*: "documents continue-after CN-2026-000000"$/)
  await run("documents continue-after CN-2026-000000 --reason none --confirm")
  expect(await finding()).toBeUndefined()
  await first.close()
})

test("a backup that replaces the shop's own database asks for nothing, and says that the numbers are kept", async () => {
  await run("documents continue-after 2026-000007 --reason begins --confirm")
  const file = join(line.folder, "backup.jsonl")
  await run(`backup create ${file}`)
  await run("documents continue-after 2026-000009 --reason later --confirm")
  const { output } = await run(`backup restore --replace ${file}`)
  expect(output).toContain(
    "the numbers of the replaced database are kept: after 2026-000009 comes 2026-000010",
  )
  expect(await finding()).toBeUndefined()
})
