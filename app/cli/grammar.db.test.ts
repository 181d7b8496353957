import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { NOON, placed } from "../../tests/contracts/billing/billing-fixtures"
import { type CommandLine, openCommandLine } from "../../tests/fixtures/admin-cli"
import { optionValues } from "./command"
import { allCommands } from "./grammar.server"

const ANA = "ana+tv@example.test"

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine()
})
afterEach(() => line.close())

type Prepared = { readonly order: string; readonly held: string; readonly file: string }

/** Arguments with which each command works, the exit code, and the names in its result. */
const runs: Record<
  string,
  readonly [args: (it: Prepared) => string, exitCode: 0 | 1, names: readonly string[]]
> = {
  "orders list": [() => "--limit 5", 0, ["orders"]],
  "orders show": [({ order }) => order, 0, ["order"]],
  "orders poll": [({ order }) => order, 0, ["order", "payments"]],
  "orders mark-paid": [({ order }) => `${order} --reason cash`, 0, ["order"]],
  "orders cancel": [({ order }) => `${order} --reason duplicate`, 0, ["order"]],
  "orders release": [({ held }) => `${held} --reason known`, 0, ["order"]],
  "orders refuse": [({ held }) => `${held} --reason chargebacks`, 0, ["order"]],
  "orders resend-callback": [({ order }) => order, 1, ["error"]],
  "jobs list": [() => "", 0, ["jobs"]],
  "jobs retry": [() => "--all", 0, ["due"]],
  "jobs discard": [() => "NONE", 1, ["error"]],
  "customers sign-in-link": [() => ANA, 0, ["link", "expiresAt"]],
  "customers set-password": [() => ANA, 0, ["email"]],
  "customers change-email": [() => `${ANA} ${ANA.replace("ana", "anna")}`, 0, ["email"]],
  "customers export": [({ file }) => `${ANA} --file ${file}`, 0, ["file"]],
  "customers erase": [() => `${ANA} --force`, 0, ["erased", "alsoInExternalBilling"]],
  "services list": [() => "", 0, ["services"]],
  "services show": [({ order }) => order, 0, ["service"]],
  "services extend": [
    () => "--active-at 2026-06-01T12:00 --days 2 --reason outage",
    0,
    ["campaign", "services", "isDone"],
  ],
  "services suspend": [({ order }) => `${order} --reason asked`, 1, ["error"]],
  "services resume": [({ order }) => `${order} --reason asked`, 1, ["error"]],
  "services terminate": [({ order }) => `${order} --reason asked`, 1, ["error"]],
  "services campaigns": [() => "", 0, ["campaigns"]],
  "services undo": [() => "none", 1, ["error"]],
  "services release-brake": [() => "--reason checked", 0, ["released", "reason"]],
  "resellers list": [() => "", 0, ["resellers"]],
  "resellers grant-credits": [() => `${ANA} 10`, 0, ["granted", "balance"]],
  "affiliates list": [() => "", 0, ["affiliates"]],
  "blocks list": [() => "", 0, ["blocks"]],
  "blocks add": [() => "DE", 0, ["kind", "value"]],
  "blocks remove": [() => "DE", 1, ["error"]],
  "gateways check": [() => "", 0, ["gateways"]],
  "gateways test-callback": [() => "offshore", 1, ["error"]],
  "mail list": [() => "", 0, ["mails"]],
  "mail show": [() => "none", 1, ["error"]],
  "mail resend": [() => "none", 1, ["error"]],
  "mail test": [() => ANA, 1, ["error"]],
  "mail suppressed": [() => "", 0, ["suppressed"]],
  "mail preview": [() => "receipt", 0, ["name", "locale", "subject", "text", "html", "file"]],
  "clock advance": [() => "30d", 0, ["now", "aheadSeconds"]],
  "catalogue export": [({ file }) => file, 0, ["file"]],
  "catalogue import": [() => "/dev/null", 1, ["error"]],
  "backup create": [({ file }) => file, 0, ["file", "warnings"]],
  "backup restore": [() => "/dev/null", 1, ["error"]],
  doctor: [() => "", 1, ["ok", "checks"]],
}

async function prepare(): Promise<Prepared> {
  const order = await placed(line.backend)
  const held = await placed(line.backend)
  await line.backend.billing.fraudOrder(held.id, "blocked country XK", NOON)
  return { order: order.id, held: held.id, file: join(line.folder, "written.json") }
}

test("this test covers every command", () => {
  expect(Object.keys(runs).toSorted()).toEqual([...allCommands().keys()].toSorted())
})

test.each(Object.entries(runs))(
  "%s --json writes one JSON object with the documented names",
  async (name, run) => {
    const [args, code, names] = run
    const given = args(await prepare())
    const { exitCode, output } = await line.command(
      `${name} ${given} --json`.replace(/ +/g, " "),
      "correct horse battery",
    )
    expect(Object.keys(JSON.parse(output))).toEqual(names)
    expect(exitCode).toBe(code)
    expect(line.warnings()).toEqual([])
  },
)

test.each([...allCommands()])("%s --help lists its arguments and options", async (name, command) => {
  const { exitCode, output } = await line.command(`${name} --help`)
  expect(exitCode).toBe(0)
  expect(output).toContain(command.about)
  const { args, optionalArg, options = {}, flags = {} } = command
  const [usage = ""] = output.split("\n")
  expect(usage).toBe(
    [
      "Usage: npm run admin --",
      name,
      "[options]",
      ...args.map((it) => `<${it}>`),
      optionalArg && `[${optionalArg}]`,
    ]
      .filter(Boolean)
      .join(" "),
  )
  for (const option of Object.keys(options) as (keyof typeof optionValues)[])
    expect(output).toMatch(new RegExp(`^ {2}--${option} <${optionValues[option]}> +\\S`, "m"))
  for (const flag of [...Object.keys(flags), "json"])
    expect(output).toMatch(new RegExp(`^ {2}--${flag} +\\S`, "m"))
})

test.each([...allCommands()])(
  "%s refuses an unknown option and suggests the one that was meant",
  async (name, { required = [] }) => {
    const given = required.map((it) => ` --${it} none`).join("")
    const { exitCode, output } = await line.command(`${name}${given} --jsn`)
    expect([exitCode, output]).toEqual([
      2,
      expect.stringMatching(/unknown option '--jsn'\n\(Did you mean --json\?\)/),
    ])
  },
)

test("the help text lists every noun with its verbs, and the exit codes", async () => {
  const { exitCode, output } = await line.command("--help")
  expect(exitCode).toBe(0)
  for (const name of allCommands().keys()) {
    const [noun, verb = ""] = name.split(" ")
    expect(output).toMatch(new RegExp(`^ {2}${noun} .*\\b${verb}`, "m"))
  }
  expect(output).toContain("Exit codes: 0 done; 1 failed or refused; 2 usage error")
})

test("with --json a usage error and a failure are JSON too", async () => {
  const usage = await line.command("orders show --json")
  expect(usage.exitCode).toBe(2)
  expect(JSON.parse(usage.output)).toEqual({
    error: { kind: "usage", message: expect.stringContaining("missing required argument 'NUMBER'") },
  })
  const failed = await line.command("orders show NONE --json")
  expect(failed.exitCode).toBe(1)
  expect(JSON.parse(failed.output)).toEqual({ error: { kind: "failed", message: 'Order "NONE" not found.' } })
  const unreadable = await line.command("orders list --json", "", { PORT: "none" })
  expect(unreadable.exitCode).toBe(1)
  expect(JSON.parse(unreadable.output).error.message).toContain("PORT")
})

test("--json escapes control characters, and a program reads them as they are stored", async () => {
  const email = "ana\u001b[2J\u202etset@example.test"
  const visitor = { email, locale: "en-en", currency: "EUR", country: "MA", address: null, at: NOON } as const
  const { customerId } = await line.backend.billing.identify(visitor)
  await placed(line.backend, { customerId })
  const { output } = await line.command("orders list --json")
  expect(output).toContain("ana\\u001b[2J\\u202etset@example.test")
  expect(JSON.parse(output).orders[0].email).toBe(email)
})

test("docs/admin-cli.md has a row for every command, and names its JSON", () => {
  const text = readFileSync("docs/admin-cli.md", "utf8")
  const rows = Object.entries(runs).filter(
    ([name, [, , names]]) =>
      !text.includes(`| \`${name}`) || !names.every((it) => text.includes(`\`${it}\``)),
  )
  expect(rows.map(([name]) => name)).toEqual([])
})
