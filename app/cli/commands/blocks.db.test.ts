import { afterEach, beforeEach, expect, test } from "vitest"
import {
  NOON,
  opened,
  paymentUpdate,
  placed,
  promotions,
} from "../../../tests/contracts/billing/billing-fixtures"
import { type CommandLine, openCommandLine } from "../../../tests/fixtures/admin-cli"

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine()
})
afterEach(() => line.close())

test("blocks lists blocks with their reasons until unblock removes them", async () => {
  expect((await line.command("blocks list")).output).toBe("No blocks.")
  expect((await line.command("blocks add 192.0.2.77/24 --reason chargebacks")).exitCode).toBe(0)
  expect((await line.command("blocks add uk")).output).toBe(
    "Blocked country GB: its orders are put on fraud hold.",
  )
  expect((await line.command("blocks list")).output).toBe(
    "2026-06-15 12:00  country  GB\n2026-06-15 12:00  network  192.0.2.0/24  chargebacks",
  )
  expect((await line.command("blocks remove 192.0.2.0/24")).exitCode).toBe(0)
  expect(await line.command("blocks remove 192.0.2.0/24")).toEqual({
    exitCode: 1,
    output: "Block of network 192.0.2.0/24 not found.",
  })
})

test.each(["add", "remove"])(
  "blocks %s rejects an invalid value and explains the valid ones",
  async (name) => {
    const { exitCode, output } = await line.command(`blocks ${name} Atlantis`)
    expect([exitCode, output]).toEqual([2, expect.stringContaining("192.0.2.0/24")])
  },
)

test("blocks add takes a device in any notation", async () => {
  expect((await line.command("blocks add 00-1a-79-12-34-56 --json")).output).toContain(
    '"value": "00:1A:79:12:34:56"',
  )
})

test("doctor lists free orders from blocked addresses", async () => {
  expect((await line.command("doctor")).output).toMatch(/ok {4}blocked visitors +no free orders/)
  await line.command("blocks add 192.0.2.0/24")
  const through = await placed(line.backend, { address: "192.0.2.7" }, promotions.free)
  await placed(line.backend, { address: "198.51.100.7" }, promotions.free)
  await placed(line.backend, { address: "192.0.2.7", holdReason: "blocked" }, promotions.free)
  const { output } = await line.command("doctor")
  expect(output).toMatch(new RegExp(`1 free orders from blocked addresses: order ${through.id}$`, "m"))
})

test("doctor reports account credit that unauthenticated orders used beyond their own", async () => {
  const brought = await placed(line.backend, {
    customerId: line.customerId,
    accessScope: { reach: "account" },
  })
  await line.backend.payments.recordPaymentUpdate(
    "offshore",
    paymentUpdate(await opened(line.backend, brought), "paid", 2_500),
    NOON,
  )
  expect((await line.command("doctor")).output).toMatch(/ok {4}account credit +no unauthenticated order/)
  const used = await placed(line.backend, { customerId: line.customerId, accountCreditScope: "account" })
  expect((await line.command("doctor")).output).toContain(`beyond their own: order ${used.id}`)
})
