import { afterEach, beforeEach, expect, test } from "vitest"
import { type CommandLine, openCommandLine } from "../../../tests/fixtures/admin-cli"

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine()
})
afterEach(() => line.close())

const ANA = "ana+tv@example.test"

test("clock advance moves the clock of all later commands, and adds up", async () => {
  expect((await line.command("clock advance 30d")).output).toMatch(
    "The shop's time is 2026-07-15 12:00 UTC, 720 hours ahead.",
  )
  expect((await line.command("clock advance 12h")).output).toMatch("2026-07-16 00:00 UTC, 732 hours ahead.")
  const { output } = await line.command(`customers sign-in-link ${ANA} --expires-in 1h --json`)
  expect(JSON.parse(output)).toMatchObject({ expiresAt: "2026-07-16T01:00:00.000Z" })
})

test("clock advance is refused outside the sandbox, where a moved clock does not count", async () => {
  await line.command("clock advance 30d")
  const gateway = {
    OFFSHORE_URL: "https://pay.test",
    OFFSHORE_CALLBACK_SECRET: `whsec_${btoa("x".repeat(32))}`,
  }
  const outside = { SANDBOX: "off", ...gateway }
  expect(await line.command("clock advance 1d", "", outside)).toEqual({
    exitCode: 1,
    output: "The clock can be moved in the sandbox only.",
  })
  const { output } = await line.command(`customers sign-in-link ${ANA} --expires-in 1h --json`, "", outside)
  expect(JSON.parse(output)).toMatchObject({ expiresAt: "2026-06-15T13:00:00.000Z" })
})

test.each(["", "30", "-1d", "1y", "0d", "4000d"])("clock advance does not take %j", async (duration) => {
  expect((await line.command(`clock advance ${duration}`.trim())).exitCode).toBeGreaterThan(0)
})
