import { afterEach, beforeEach, expect, test } from "vitest"
import { type CommandLine, openCommandLine } from "../../../../tests/fixtures/admin-cli"

const ANA = "ana+tv@example.test"
const ANNA = "anna@example.test"

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine()
})
afterEach(() => line.close())

test("change-email gives a customer another email, and the audit log has the action of the console with its reason", async () => {
  const { customerId } = line
  expect((await line.command(`customers change-email ${ANA} ${ANNA} --reason typo`)).output).toMatch(
    /^Email changed/,
  )
  expect((await line.backend.billing.customerOf(ANNA))?.id).toBe(customerId)
  const entries = await line.backend.auditLog.newest({ limit: 2, subject: `customer ${customerId}` })
  expect(entries.map(({ action, outcome, reason }) => [action, outcome, reason])).toEqual([
    ["correct-email", "done", "typo"],
    ["correct-email", "started", "typo"],
  ])
})

test("change-email refuses an address that another customer has, and one that is none", async () => {
  const visitor = { locale: "en-en", currency: "EUR", country: "MA", address: null, at: 1 } as const
  await line.backend.billing.identify({ ...visitor, email: ANNA })
  expect(await line.command(`customers change-email ${ANA} ${ANNA}`)).toEqual({
    exitCode: 1,
    output: "Another customer has this email.",
  })
  expect((await line.command(`customers change-email ${ANA} nobody`)).exitCode).toBe(2)
  expect((await line.command(`customers change-email nobody@example.test ${ANNA}`)).output).toBe(
    "Customer not found.",
  )
})
