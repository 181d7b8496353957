import { afterEach, beforeEach, expect, test } from "vitest"
import { type CommandLine, openCommandLine } from "../../../../tests/fixtures/admin-cli"

const PASSWORD = "correct horse battery"

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine()
})
afterEach(() => line.close())

test("set-password sets the password the customer signs in with, and does not print it", async () => {
  const { exitCode, output } = await line.command("customers set-password ana+tv@example.test", PASSWORD)
  expect([exitCode, output]).toEqual([0, expect.not.stringContaining(PASSWORD)])
  const proof = { email: "ana+tv@example.test", password: PASSWORD }
  expect(await line.backend.billing.signIn(proof)).toMatchObject({ id: line.customerId })
})

test.each([
  ["no password", ""],
  ["a password that is too short", "123456789"],
  ["a password that is too long", "x".repeat(201)],
])("set-password rejects %s and changes nothing", async (_, typed) => {
  expect(await line.command("customers set-password ana+tv@example.test", typed)).toEqual({
    exitCode: 1,
    output: "Invalid password: must have 10 to 200 characters. No changes were made.",
  })
  expect(await line.backend.billing.signIn({ email: "ana+tv@example.test", password: typed })).toBeNull()
})

test("set-password rejects an unknown email", async () => {
  expect(await line.command("customers set-password nobody@example.test", PASSWORD)).toEqual({
    exitCode: 1,
    output: "Customer not found.",
  })
})
