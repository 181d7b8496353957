import { afterEach, beforeEach, expect, test } from "vitest"
import { opened, placed } from "../../../tests/contracts/billing/billing-fixtures"
import { type CommandLine, openCommandLine } from "../../../tests/fixtures/admin-cli"

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine()
})
afterEach(() => line.close())

test.each([
  ["resend-callback NOSUCH", 'No payment has been opened for an order "NOSUCH".'],
  ["test-callback piggybank", '"piggybank" is not among the GATEWAYS.'],
  ["test-callback offshore", 'offshore has no way to be asked for a call. Use "poll NUMBER".'],
  ["test-callback cryptomusgateway", "It does not answer."],
])("%s is refused in words", async (command, output) => {
  expect(await line.command(command)).toEqual({ exitCode: 1, output })
})

test("a gateway that cannot call again says so", async () => {
  const order = await placed(line.backend)
  await opened(line.backend, order)
  expect((await line.command(`resend-callback ${order.id}`)).output).toMatch(/^offshore has no way/)
})
