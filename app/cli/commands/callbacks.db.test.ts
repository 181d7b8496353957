import { afterEach, beforeEach, expect, test } from "vitest"
import { opened, placed } from "../../../tests/contracts/billing/billing-fixtures"
import { type CommandLine, openCommandLine } from "../../../tests/fixtures/admin-cli"

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine()
})
afterEach(() => line.close())

test.each([
  ["orders resend-callback NOSUCH", 'Payment of order "NOSUCH" not found.'],
  ["gateways test-callback piggybank", 'Unknown gateway "piggybank".'],
  [
    "gateways test-callback offshore",
    'Cannot request a callback from offshore: not supported. Use "orders poll NUMBER".',
  ],
  ["gateways test-callback cryptomusgateway", "Cannot request a callback: gateway unreachable."],
])("%s fails with an error message", async (command, output) => {
  expect(await line.command(command)).toEqual({ exitCode: 1, output })
})

test("resend-callback rejects a gateway without support for it", async () => {
  const order = await placed(line.backend)
  await opened(line.backend, order)
  expect((await line.command(`orders resend-callback ${order.id}`)).output).toMatch(
    /^Cannot request a callback from offshore: not supported/,
  )
})
