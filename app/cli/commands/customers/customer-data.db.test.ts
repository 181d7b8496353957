import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { active, NOON, placed } from "../../../../tests/contracts/billing/billing-fixtures"
import { type CommandLine, openCommandLine } from "../../../../tests/fixtures/admin-cli"

const ANA = "ana+tv@example.test"
const OWNER_ONLY = 0o600
const PERMISSIONS = 0o777

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine()
})
afterEach(() => line.close())

test("export prints a customer's data as JSON, or writes it to a file with mode 0600", async () => {
  const order = await active(line.backend, { customerId: line.customerId })
  const { exitCode, output } = await line.command(`customers export ${ANA} --reason asked`)
  expect(exitCode).toBe(0)
  expect(JSON.parse(output)).toMatchObject({
    email: ANA,
    at: "2026-06-15T12:00:00.000Z",
    amounts: "in minor units (hundredths) of their currency",
    clients: [{ email: ANA, has_password: false }],
    orders: [{ id: order.id }],
  })
  const file = join(line.folder, "ana.json")
  expect(await line.command(`customers export ${ANA} --file ${file} --reason asked`)).toEqual({
    exitCode: 0,
    output: `Customer data written to ${file}.`,
  })
  expect(readFileSync(file, "utf8")).toBe(`${output}\n`)
  expect(statSync(file).mode & PERMISSIONS).toBe(OWNER_ONLY)
})

test("erase rejects a customer with an open order, and otherwise anonymizes the orders", async () => {
  const order = await placed(line.backend, { customerId: line.customerId })
  const refused = await line.command(`customers erase ${ANA}`)
  expect(refused).toEqual({
    exitCode: 1,
    output: expect.stringMatching(/^Cannot erase: the customer has an open order/),
  })
  await line.backend.billing.applyOrderEvent(order.id, "aborted", NOON)
  expect(await line.command(`customers erase ${ANA}`)).toEqual({
    exitCode: 0,
    output: expect.stringMatching(/^Erased\./),
  })
  expect((await line.command(`orders show ${order.id}`)).output).toMatch(
    /plan {2}cancelled {2}erased[\s\S]*from unknown address/,
  )
  expect(await line.backend.billing.customerOf(ANA)).toBeNull()
})

test("erase requires --force for a customer with an active service", async () => {
  await active(line.backend, { customerId: line.customerId })
  expect((await line.command(`customers erase ${ANA}`)).output).toMatch(
    /an active or suspended service.*--force/,
  )
  expect((await line.command(`customers erase ${ANA} --force`)).exitCode).toBe(0)
})

test.each(["export nobody@example.test --reason asked", "erase nobody@example.test"])(
  "customers %s rejects an unknown email",
  async (command) => {
    expect(await line.command(`customers ${command}`)).toEqual({
      exitCode: 1,
      output: "Customer not found.",
    })
  },
)
