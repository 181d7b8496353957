import { pino } from "pino"
import { afterEach, beforeEach, expect, test } from "vitest"
import { readConfig } from "~/config/config.server"
import { DAY } from "~/domain/calendar"
import { openSandbox } from "~/wiring/gateways.server"
import { type CommandLine, openCommandLine } from "../../../../tests/fixtures/admin-cli"

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

test("after clock advance the sandbox's providers accept the keys of doctor, whose requests carry the shop's time", async () => {
  await line.command("clock advance 30d")
  const config = readConfig({ DATA_DIR: line.folder, SANDBOX_PORT: "0", PUBLIC_URL: "http://127.0.0.1:1" })
  const now = () => Date.now() + 30 * DAY
  const sandbox = await openSandbox(config, { now, log: pino({ level: "silent" }) })
  try {
    const environment = { SANDBOX_PORT: new URL(sandbox.origin).port, GATEWAYS: "coinbase" }
    const { output } = await line.command("gateways check", "", environment)
    expect(output).toMatch(/reachable +ok/)
  } finally {
    await sandbox.close()
  }
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
