import { afterEach, beforeEach, expect, test } from "vitest"
import { money } from "~/domain/money/money"
import { NOON, placed } from "../../../../tests/contracts/billing/billing-fixtures"
import { type CommandLine, openCommandLine } from "../../../../tests/fixtures/admin-cli"

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

test("assigns a payment to an order, or to a customer's account credit, once", async () => {
  const order = await placed(line.backend)
  const id = await reported(20_00)
  const assign = `unmatched-payments assign ${id} --reason asked`
  expect(await run(assign)).toMatch("Name --order NUMBER or --customer EMAIL.")
  expect(await run(`${assign} --order NONE`)).toMatch("Order not found.")
  expect(await run(`${assign} --order ${order.id} --amount 3.00`)).toMatch("as a whole")
  expect(await run(`${assign} --order ${order.id}`)).toMatch("assigned")
  expect(await run(`${assign} --customer ana+tv@example.test`)).toMatch("Nothing was changed")
  expect((await line.backend.billing.order(order.id))?.status).toBe("paid")
})

test("asks a second operator above APPROVE_ABOVE, and needs the amount if the reports do not say it", async () => {
  const id = await reported(null)
  const assign = `unmatched-payments assign ${id} --customer ana+tv@example.test --reason asked`
  expect(await line.command(assign)).toMatchObject({
    exitCode: 2,
    output: expect.stringContaining("--amount is required"),
  })
  const limit = { APPROVE_ABOVE: "5.00" }
  const asked = await line.command(`${assign} --amount 20.00 --json`, "", limit)
  expect(JSON.parse(asked.output)).toEqual({ request: expect.any(String), expiresAt: expect.any(String) })
  expect(await run(`${assign} --amount 20.00`)).toMatch("assigned")
  const [credit] = JSON.parse(await run("customers show ana+tv@example.test --json")).customer.credit
  expect(credit).toEqual({ amount: "20.00", currency: "EUR" })
})
