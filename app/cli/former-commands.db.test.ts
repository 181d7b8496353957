import { afterEach, beforeEach, expect, test } from "vitest"
import { placed } from "../../tests/contracts/billing/billing-fixtures"
import { type CommandLine, openCommandLine } from "../../tests/fixtures/admin-cli"
import { formerCommands, formerNouns } from "./former-commands"
import { allCommands } from "./grammar.server"

const ANA = "ana+tv@example.test"
const PASSWORD = "correct horse battery"

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine()
})
afterEach(() => line.close())

const notice = (former: string, name: string) =>
  `${former} was renamed to ${name}; the former name works until the next release.`

type Prepared = { readonly order: string; readonly file: string }

/** Arguments for each former command. */
const runs: Record<string, (it: Prepared) => string> = {
  order: ({ order }) => order,
  poll: ({ order }) => order,
  ask: ({ order }) => order,
  "mark-paid": ({ order }) => `${order} --reason cash`,
  paid: ({ order }) => `${order} --reason cash`,
  cancel: ({ order }) => `${order} --reason duplicate`,
  "resend-callback": ({ order }) => order,
  resend: ({ order }) => order,
  "test-callback": () => "offshore",
  "sign-in-link": () => ANA,
  link: () => ANA,
  "set-password": () => ANA,
  password: () => ANA,
  export: () => `${ANA} --reason asked`,
  erase: () => `${ANA} --force`,
  "grant-credits": () => `${ANA} +10`,
  credit: () => `${ANA} +10`,
  block: () => "DE --reason chargebacks",
  unblock: () => "DE",
  restore: () => "/dev/null --replace",
  orders: () => "--limit 1",
  jobs: () => "",
  resellers: () => "",
  affiliates: () => "",
  blocks: () => "",
  gateways: () => "",
  backup: ({ file }) => file,
}

const former = { ...formerCommands, ...formerNouns }

/** Runs a command on a shop of its own: its result, with the ids of that shop's order replaced. */
async function resultOf(name: string, rest: (it: Prepared) => string) {
  const own = await openCommandLine()
  try {
    const order = await placed(own.backend)
    const words = `${name} ${rest({ order: order.id, file: `${own.folder}/written` })}`
    const { exitCode, output } = await own.command(words.trim(), PASSWORD)
    const text = output.replaceAll(own.folder, "FOLDER").replaceAll(order.id, "ORDER")
    return { exitCode, lines: text.split("\n").length, start: text.slice(0, 20), warnings: own.warnings() }
  } finally {
    await own.close()
  }
}

test.each(Object.entries(former))(
  "runs the former command %s as %s with the same result and prints a notice with the new name",
  async (name, current) => {
    const rest = runs[name] ?? (() => "")
    const { warnings, ...result } = await resultOf(name, rest)
    expect(warnings).toEqual([notice(`"${name}"`, `"${current}"`)])
    expect(await resultOf(current, rest)).toEqual({ ...result, warnings: [] })
    expect(result.exitCode).toBeLessThan(2)
  },
)

test("this test covers every former command, and every new name is a command", () => {
  expect(Object.keys(runs).toSorted()).toEqual(Object.keys(former).toSorted())
  expect(Object.values(former).filter((name) => !allCommands().has(name))).toEqual([])
})

test.each([
  ["orders list --most 1", /^2026-\S+ \S+ {2}\S+ {2}placed[^\n]*\nMore: --after \S+$/, "most", "limit"],
  [`customers sign-in-link ${ANA} --expires 30m`, /^http/, "expires", "expires-in"],
  [`customers sign-in-link ${ANA} --serviceid=none`, /Service "none"/, "serviceid", "service-id"],
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
  const { exitCode, output } = await line.command("orders list --most 1 --limit 2")
  expect([exitCode, output]).toEqual([2, expect.stringMatching(/^Cannot use --most and --limit together\./)])
})

test("prints a notice with the new name for a former environment variable", async () => {
  await line.command("orders list", "", { NEIGHBOUR_TIMEOUT_MS: "1000" })
  expect(line.warnings()).toEqual([notice("NEIGHBOUR_TIMEOUT_MS", "UPSTREAM_TIMEOUT_MS")])
})

test("prints no notice for current names", async () => {
  await line.command("orders list --limit 1")
  expect(line.warnings()).toEqual([])
})
