import { afterEach, beforeEach, expect, test } from "vitest"
import { placed } from "../../tests/contracts/billing/billing-fixtures"
import { type CommandLine, openCommandLine } from "../../tests/fixtures/admin-cli"
import { formerCommands, formerOptions } from "./former-commands"

const ANA = "ana+tv@example.test"
const PASSWORD = "correct horse battery"

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine()
})
afterEach(() => line.close())

const notice = (former: string, name: string) =>
  `${former} was renamed to ${name}; the former name works until the next release.`

/** Arguments for each former command, and output that only this command prints. */
const runs: Record<string, readonly [rest: (order: string) => string, answer: RegExp]> = {
  ask: [(order) => order, /^Order \S+: placed/],
  resend: [(order) => order, /^Payment of order/],
  paid: [(order) => `${order} --reason cash`, /marked as paid/],
  link: [() => ANA, /^http:\S+signature=/],
  password: [() => ANA, /^Password of/],
  credit: [() => `${ANA} +10`, /^10 credits granted/],
}

test.each(Object.entries(formerCommands))(
  "runs the former command %s as %s and prints a notice with the new name",
  async (former, name) => {
    const [rest, expected] = runs[former] ?? []
    const order = await placed(line.backend)
    const { output } = await line.command(`${former} ${rest?.(order.id)}`, PASSWORD)
    expect(output).toMatch(expected ?? "")
    expect(line.warnings()).toEqual([notice(`"${former}"`, `"${name}"`)])
  },
)

test("this test covers every former command, and the help text contains no former name", async () => {
  expect(Object.keys(runs).toSorted()).toEqual(Object.keys(formerCommands).toSorted())
  const { output: help } = await line.command("")
  for (const [former, name] of Object.entries(formerCommands)) {
    expect(help).toMatch(new RegExp(`^ {2}${name} `, "m"))
    expect(help).not.toMatch(new RegExp(`^ {2}${former} `, "m"))
  }
  for (const [former, name] of Object.entries(formerOptions)) {
    expect(help).toContain(`--${name} `)
    expect(help).not.toContain(`--${former} `)
  }
})

test.each([
  ["orders --most 1", /^2026-\S+ \S+ {2}\S+ {2}placed[^\n]*$/, "most", "limit"],
  [`sign-in-link ${ANA} --expires 30m`, /^http/, "expires", "expires-in"],
  [`sign-in-link ${ANA} --serviceid=none`, /Service "none"/, "serviceid", "service-id"],
])(
  "accepts the former option of %s and prints a notice with the new name",
  async (command, expected, former, name) => {
    await placed(line.backend)
    await placed(line.backend)
    expect((await line.command(command)).output).toMatch(expected)
    expect(line.warnings()).toEqual([notice(`--${former}`, `--${name}`)])
  },
)

test("rejects an option given under both its former and its current name", async () => {
  const { exitCode, output } = await line.command("orders --most 1 --limit 2")
  expect([exitCode, output]).toEqual([2, expect.stringMatching(/^Cannot use --most and --limit together\./)])
})

test("prints a notice with the new name for a former environment variable", async () => {
  await line.command("orders", "", { NEIGHBOUR_TIMEOUT_MS: "2000" })
  expect(line.warnings()).toEqual([notice("NEIGHBOUR_TIMEOUT_MS", "UPSTREAM_TIMEOUT_MS")])
})

test("prints no notice for current names", async () => {
  await line.command("orders --limit 1")
  expect(line.warnings()).toEqual([])
})
