import { afterAll, beforeAll, expect, test } from "vitest"
import { type CommandLine, openCommandLine } from "../../../../tests/fixtures/admin-cli"
import { outcomeOf } from "./mail-log.server"

let line: CommandLine
beforeAll(async () => {
  line = await openCommandLine()
})
afterAll(() => line.close())

const real = {
  PUBLIC_URL: "https://shop.example",
  OFFSHORE_URL: "https://pay.example",
  OFFSHORE_CALLBACK_SECRET: "whsec_b25l",
}

test("mail test in a shop without a mail server says which settings it needs", async () => {
  expect(await line.command("mail test ana@example.test", "", real)).toEqual({
    exitCode: 1,
    output: "Cannot send: no mail server is set. Set SMTP_URL and MAIL_FROM.",
  })
})

test("mail test in a shop with the sandbox says how its mailbox can be reached", async () => {
  expect(await line.command("mail test ana@example.test")).toEqual({
    exitCode: 1,
    output:
      "Cannot send: the sandbox's mail server has another port at each start. Use the console's page \"Mail\", or set SANDBOX_SMTP_PORT and start the shop again.",
  })
})

test.each([
  [1, "sent after 1 try: 250 Accepted"],
  [2, "sent after 2 tries: 250 Accepted"],
])("a message that took %i tries is listed with that number", (tries, words) => {
  expect(outcomeOf({ state: "sent", tries, reason: "250 Accepted" })).toBe(words)
})
