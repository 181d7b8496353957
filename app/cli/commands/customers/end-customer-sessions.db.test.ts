import { afterEach, beforeEach, expect, test } from "vitest"
import { NOON } from "../../../../tests/contracts/billing/billing-fixtures"
import { type CommandLine, openCommandLine } from "../../../../tests/fixtures/admin-cli"

const ANA = "ana+tv@example.test"

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine()
})
afterEach(() => line.close())

test("end-sessions signs a customer out of every browser, and lets later sign-ins be", async () => {
  const session = {
    id: "a browser",
    asOf: NOON - 1,
    customer: { id: line.customerId, reach: "account" as const },
    orderId: null,
    serviceIds: [],
  }
  const { sessions } = line.backend
  expect(await sessions.isEnded(session)).toBe(false)
  expect((await line.command(`customers end-sessions ${ANA}`)).exitCode).toBe(0)
  expect(await sessions.isEnded(session)).toBe(true)
  expect(await sessions.isEnded({ ...session, asOf: NOON })).toBe(false)
  const [, done] = await line.backend.auditLog.page({ after: 0, limit: 2 })
  expect(done).toMatchObject({
    action: "end-customer-sessions",
    subject: `customer ${line.customerId}`,
    outcome: "done",
  })
})

test("end-sessions rejects an unknown email", async () => {
  expect(await line.command("customers end-sessions nobody@example.test")).toEqual({
    exitCode: 1,
    output: "Customer not found.",
  })
})
