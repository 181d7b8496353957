import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { HOUR } from "~/domain/calendar"
import { NOON, placed } from "../../../../tests/contracts/billing/billing-fixtures"
import { type CommandLine, openCommandLine } from "../../../../tests/fixtures/admin-cli"

const MARTA = "marta@shop.test"
const JONAS = "jonas@shop.test"

let line: CommandLine
let held: string
beforeEach(async () => {
  line = await openCommandLine()
  const order = await placed(line.backend)
  held = order.id
  await line.backend.billing.fraudOrder(held, "blocked country XK", NOON)
  line.spoil(`update services set next_step_at = ${NOON - 2 * HOUR}`)
  for (const email of [MARTA, JONAS]) await line.command(`operators add ${email} --role support`)
})
afterEach(() => line.close())

const run = async (command: string) => (await line.command(command)).output

test("needs list has what the overview has, the most urgent first, and who has taken it", async () => {
  expect(await run("needs list")).toMatch(
    new RegExp(`^.*on-hold +"order ${held}".*\\n.*late-steps +"late-steps"$`),
  )
  await run(`needs take late-steps --operator ${MARTA}`)
  expect(await run("needs list")).toMatch(/"late-steps" {2}taken by marta@shop\.test$/)
  const { needs } = JSON.parse(await run("needs list --json"))
  expect(needs).toMatchObject([
    { key: `order ${held}`, kind: "on-hold", order: held, takenBy: null },
    { key: "late-steps", kind: "late-steps", order: null, takenBy: MARTA },
  ])
})

test("needs list has the currencies of the catalogue whose exchange rate is missing today", async () => {
  const file = join(line.folder, "shop.json")
  const accounting = { currency: "EUR" }
  writeFileSync(file, JSON.stringify({ tax: { country: "DE", confirmedOn: "2026-06-01", accounting } }))
  const { output } = await line.command("needs list", "", { SHOP_FILE: file })
  expect(output).toMatch(/exchange-rate +"exchange-rate" .*GBP/)
  expect(await run("needs list")).not.toContain("exchange-rate")
})

test("needs take and leave go by operator, and are in the audit log", async () => {
  expect(await run(`needs take late-steps --operator ${MARTA}`)).toBe(`${MARTA} has "late-steps".`)
  expect(await run(`needs take late-steps --operator ${JONAS}`)).toBe(
    `Cannot take "late-steps": ${MARTA} has it.`,
  )
  expect(await run(`needs leave late-steps --operator ${JONAS}`)).toMatch("does not have it")
  expect(await run(`needs leave late-steps --operator ${MARTA}`)).toBe('Nobody has "late-steps" now.')
  expect(await run(`needs take late-steps --operator ${JONAS}`)).toBe(`${JONAS} has "late-steps".`)
  const entries = await line.backend.auditLog.page({ after: 0, limit: 50 })
  const outcomes = entries.filter(({ subject }) => subject === "late-steps")
  expect(outcomes.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
    "take-need started",
    "take-need done",
    "take-need started",
    "take-need failed",
    "leave-need started",
    "leave-need failed",
    "leave-need started",
    "leave-need done",
    "take-need started",
    "take-need done",
  ])
})

test.each([
  ["needs take mail --operator marta@shop.test", /^Nothing with the key "mail" needs a person/],
  ["needs take late-steps --operator nobody@shop.test", /^Operator "nobody@shop.test" not found/],
])("%s is refused", async (command, message) => {
  expect(await line.command(command)).toEqual({ exitCode: 1, output: expect.stringMatching(message) })
})

test("a disabled operator takes nothing", async () => {
  await run(`operators disable ${MARTA}`)
  expect(await run(`needs take late-steps --operator ${MARTA}`)).toMatch("not found, or disabled")
})
