import { afterEach, beforeEach, expect, test } from "vitest"
import { type CommandLine, openCommandLine } from "../../../tests/fixtures/admin-cli"

const PASSWORD = "correct horse battery"

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine()
})
afterEach(() => line.close())

test("a customer signs in with the password the operator has typed, and it is shown nowhere", async () => {
  const { exitCode, output } = await line.command("set-password ana+tv@example.test", PASSWORD)
  expect([exitCode, output]).toEqual([0, expect.not.stringContaining(PASSWORD)])
  const proof = { email: "ana+tv@example.test", password: PASSWORD }
  expect(await line.backend.billing.signIn(proof)).toMatchObject({ id: line.customerId })
})

test.each([
  ["no password", ""],
  ["a password that is too short", "123456789"],
  ["a password that is too long", "x".repeat(201)],
])("%s is refused and changes nothing", async (_, typed) => {
  expect(await line.command("set-password ana+tv@example.test", typed)).toEqual({
    ...{ exitCode: 1, output: "Invalid password: must have 10 to 200 characters. No changes were made." },
  })
  expect(await line.backend.billing.signIn({ email: "ana+tv@example.test", password: typed })).toBeNull()
})

test("an e-mail nobody has gets no password", async () => {
  expect(await line.command("set-password nobody@example.test", PASSWORD)).toEqual({
    ...{ exitCode: 1, output: "Customer not found." },
  })
})
