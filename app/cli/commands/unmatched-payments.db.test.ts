import { afterEach, beforeEach, expect, test } from "vitest"
import { money } from "~/domain/money"
import { NOON } from "../../../tests/contracts/billing/billing-fixtures"
import { type CommandLine, openCommandLine } from "../../../tests/fixtures/admin-cli"

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine()
})
afterEach(() => line.close())

const run = async (command: string) => (await line.command(command)).output

async function reported(minor: number | null): Promise<string> {
  const update = {
    eventKey: "e1",
    attemptId: "elsewhere",
    status: "paid",
    received: money(minor ?? 0, "EUR"),
    transactionId: "tx-9",
  } as const
  const report = { gateway: "offshore", eventKey: "e1", reason: "unknown-attempt", detail: "paid" } as const
  const named = { attemptId: "elsewhere", paymentId: "tx-9" }
  await line.backend.payments.recordUnapplied(
    { ...report, ...named, ...(minor !== null && { update }) },
    NOON,
  )
  const [payment] = JSON.parse(await run("unmatched-payments list --json")).payments
  return payment.payment
}

test("lists payments that match no order, notes one as returned once, and writes the audit log", async () => {
  expect(await run("unmatched-payments list")).toBe("All payments match an order.")
  const id = await reported(20_00)
  expect(await run("unmatched-payments list")).toMatch(
    /open {2}offshore {2}tx-9 {2}.*20\.00.*unknown-attempt/,
  )
  const command = `unmatched-payments return ${id} --reference r1 --reason asked`
  expect(await run(command)).toMatch("returned")
  expect(await line.command(command)).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining("Nothing was changed"),
  })
  expect(await run("unmatched-payments list")).toBe("All payments match an order.")
  expect(JSON.parse(await run("unmatched-payments list --handled --json")).payments).toMatchObject([
    { payment: id, state: "returned", handling: { reference: "r1", operator: "admin CLI", reason: "asked" } },
  ])
  const entries = await line.backend.auditLog.newest({ limit: 9, subject: `payment ${id}` })
  expect(entries.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
    "return-payment failed",
    "return-payment started",
    "return-payment done",
    "return-payment started",
  ])
})

test("dismisses a report that does not say how much, and never money that has arrived", async () => {
  const id = await reported(null)
  expect(await run(`unmatched-payments dismiss ${id} --reason nothing`)).toMatch("dismissed")
  const other = await reported(20_00)
  expect(await run(`unmatched-payments dismiss ${other} --reason nothing`)).toMatch("Nothing was changed")
})
