import { afterEach, beforeEach, expect, test } from "vitest"
import { planOf } from "~/domain/catalogue/catalogue"
import { quote } from "~/domain/catalogue/pricing"
import { placed, resellerPlan } from "../../../tests/contracts/billing/billing-fixtures"
import { type CommandLine, openCommandLine } from "../../../tests/fixtures/admin-cli"

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine()
})
afterEach(() => line.close())

test("resellers lists active plans and credits, and grant-credits adds to the balance", async () => {
  expect((await line.command("resellers list")).output).toBe("No resellers.")
  const offered = planOf(resellerPlan, "EUR")
  if (!offered) throw new Error("The reseller plan is not sold in EUR")
  const priced = quote(offered, { extraConnection: false, proxyProtection: false }, null)
  const order = await placed(line.backend, { kind: "reseller", customerId: line.customerId, quote: priced })
  expect((await line.command("resellers list")).output).toMatch(/ 0 +0 +ana\+tv@example\.test$/)

  await line.backend.billing.applyOrderEvent(order.id, "paid", 1)
  await line.backend.billing.activateService(order.serviceId, { host: "https://tv.test" }, 2)
  expect((await line.command("resellers list")).output).toMatch(/ 1 +25 +ana\+tv@example\.test$/)

  expect(await line.command("resellers grant-credits ana+tv@example.test 10 --reason sorry")).toEqual({
    exitCode: 0,
    output: "10 credits granted; new balance 35.",
  })
  expect((await line.command("audit list --action grant-reseller-credits")).output).toContain("sorry")
})

test.each([
  ["resellers grant-credits nobody@example.test 5", 1, "Customer not found."],
  [
    "resellers grant-credits ana+tv@example.test many",
    2,
    'Invalid number of credits "many": must be between 1 and 100000.',
  ],
  [
    "resellers grant-credits ana+tv@example.test 0",
    2,
    'Invalid number of credits "0": must be between 1 and 100000.',
  ],
  [
    "resellers grant-credits ana+tv@example.test 200000",
    2,
    'Invalid number of credits "200000": must be between 1 and 100000.',
  ],
])("%s fails with exit code %d and an error message", async (command, exitCode, output) => {
  expect(await line.command(command)).toEqual({ exitCode, output })
})
