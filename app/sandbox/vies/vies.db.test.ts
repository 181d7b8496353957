import { pino } from "pino"
import { afterEach, beforeEach, expect, test } from "vitest"
import { MINUTE } from "~/domain/calendar"
import { checkedNumbers } from "~/vat-numbers/checked-numbers.server"
import type { VatNumbers } from "~/vat-numbers/vat-numbers"
import { viesCheck } from "~/vat-numbers/vies/vies.server"
import { type Sandbox, startSandbox } from "../sandbox.server"

let sandbox: Sandbox
let numbers: VatNumbers
/** The same for a shop that does not wait: an answer that is to come gets all the time of a busy machine. */
let hastyNumbers: VatNumbers
let at = 1_800_000_000_000
const log = pino({ level: "silent" })
beforeEach(async () => {
  sandbox = await startSandbox({
    port: 0,
    host: "127.0.0.1",
    file: ":memory:",
    callbackSecret: `whsec_${Buffer.from("x".repeat(32)).toString("base64")}`,
    now: () => at,
    log,
  })
  const asking = (timeoutMs: number) => {
    const ask = viesCheck({
      url: `${sandbox.origin}/vies`,
      timeoutMs,
      requester: async () => "DE136695976",
    })
    return checkedNumbers(ask, { now: () => at, log })
  }
  numbers = asking(20_000)
  hastyNumbers = asking(300)
})
afterEach(() => sandbox.close())

test.each([
  ["a number that exists", "FR40303265045", "valid", "SANDBOXFR40303265045"],
  ["one that does not", "ESB58378431", "invalid", "SANDBOXESB58378431"],
  ["one of a member state that is unavailable", "IT00743110157", "unanswered", null],
  ["one of a member state that is asked too often", "PL8567346215", "unanswered", null],
  ["a page of maintenance", "NL004495445B01", "unanswered", null],
])("the sandbox has %s", async (_, number, answer, requestId) => {
  expect(await numbers.check(number)).toEqual({ result: answer, at, requestId })
})

test("the sandbox has an answer that comes too late", async () => {
  const late = { result: "unanswered", at, requestId: null }
  expect(await hastyNumbers.check("BE0428759497")).toEqual(late)
})

test("the sandbox has a number whose member state answers from the second request on", async () => {
  expect(await numbers.check("LU15027442")).toMatchObject({ result: "unanswered" })
  at += MINUTE + 1
  expect(await numbers.check("LU15027442")).toMatchObject({ result: "valid" })
})
