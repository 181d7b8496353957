import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { HOUR } from "~/domain/calendar"
import { NOON, placed } from "../../tests/contracts/billing/billing-fixtures"
import { type CommandLine, openCommandLine } from "../../tests/fixtures/admin-cli"
import { optionValues } from "./command"
import { allCommands } from "./grammar.server"

const ANA = "ana+tv@example.test"
const MARTA = "marta@shop.test"

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine()
})
afterEach(() => line.close())

type Prepared = {
  readonly order: string
  readonly held: string
  readonly file: string
  readonly webhook: string
  readonly brand: string
}

/** Arguments with which each command works, the exit code, and the names in its result. */
const runs: Record<
  string,
  readonly [args: (it: Prepared) => string, exitCode: 0 | 1, names: readonly string[]]
> = {
  "orders list": [() => "--limit 5", 0, ["orders", "next", "isCut"]],
  "orders search": [() => "98.90", 0, ["orders", "isCut"]],
  "orders export": [({ file }) => `${file} --reason audit`, 0, ["file"]],
  "services export": [({ file }) => `${file} --reason audit`, 0, ["file"]],
  "orders show": [({ order }) => order, 0, ["order"]],
  "orders poll": [({ order }) => order, 0, ["order", "payments"]],
  "orders mark-paid": [({ order }) => `${order} --reason cash`, 0, ["order"]],
  "orders waive-rest": [({ order }) => `${order} --reason fee`, 1, ["error"]],
  "orders cancel": [({ order }) => `${order} --reason duplicate`, 0, ["order"]],
  "orders release": [({ held }) => `${held} --reason known`, 0, ["order"]],
  "orders refuse": [({ held }) => `${held} --reason chargebacks`, 0, ["order"]],
  "orders resend-callback": [({ order }) => order, 1, ["error"]],
  "orders dismiss-refund": [({ order }) => `${order} --reason agreed`, 1, ["error"]],
  "orders dismiss-chargeback": [({ order }) => `${order} --reason agreed`, 1, ["error"]],
  "orders refund": [({ order }) => `${order} --amount 5.00 --reason asked`, 1, ["error"]],
  "orders add-note": [({ order }) => `${order} asked`, 0, ["order", "note"]],
  "orders add-tag": [({ order }) => `${order} vip`, 0, ["order", "tag"]],
  "orders remove-tag": [({ order }) => `${order} vip`, 1, ["error"]],
  "needs list": [() => "", 0, ["needs"]],
  "needs take": [() => `late-steps --operator ${MARTA}`, 0, ["need", "operator"]],
  "needs leave": [() => `late-steps --operator ${MARTA}`, 1, ["error"]],
  "unmatched-payments list": [() => "", 0, ["payments", "isCut"]],
  "unmatched-payments assign": [() => "none --order X --reason asked", 1, ["error"]],
  "unmatched-payments return": [() => "none --reference r1 --reason asked", 1, ["error"]],
  "unmatched-payments dismiss": [() => "none --reason checked", 1, ["error"]],
  "approvals list": [() => "", 0, ["approvals"]],
  "approvals confirm": [() => "none --reason checked", 1, ["error"]],
  "approvals refuse": [() => "none --reason checked", 1, ["error"]],
  "bulk list": [() => "", 0, ["runs"]],
  "bulk show": [() => "none", 1, ["error"]],
  "bulk stop": [() => "none --reason checked", 1, ["error"]],
  "bulk result": [() => "none", 1, ["error"]],
  "bulk extend": [() => "--days 2 --reason outage", 1, ["error"]],
  "bulk cancel": [() => "--reason duplicate --confirm", 0, ["bulk", "rows", "examples", "isBegun"]],
  "bulk resend": [() => "--reason asked", 0, ["bulk", "rows", "examples", "isBegun"]],
  "bulk retry": [() => "--reason panel", 0, ["bulk", "rows", "examples", "isBegun"]],
  "bulk retry-jobs": [() => "--reason panel", 1, ["error"]],
  "jobs list": [() => "", 0, ["jobs"]],
  "jobs retry": [() => "--all", 0, ["due"]],
  "jobs discard": [() => "NONE", 1, ["error"]],
  "customers sign-in-link": [() => ANA, 0, ["link", "expiresAt"]],
  "customers set-password": [() => ANA, 0, ["email"]],
  "customers change-email": [() => `${ANA} ${ANA.replace("ana", "anna")}`, 0, ["email"]],
  "customers end-sessions": [() => ANA, 0, ["email"]],
  "customers export": [({ file }) => `${ANA} --file ${file} --reason asked`, 0, ["file"]],
  "customers forgive-trial": [() => `${ANA} --reason shared`, 1, ["error"]],
  "customers erase": [() => `${ANA} --force`, 0, ["erased", "alsoInExternalBilling"]],
  "customers list": [() => "", 0, ["customers", "next"]],
  "customers export-list": [({ file }) => `${file} --reason newsletter`, 0, ["file"]],
  "customers search": [() => "ana", 0, ["customers", "isCut"]],
  "customers show": [() => ANA, 0, ["customer"]],
  "customers grant-credit": [() => `${ANA} --amount 5.00 --reason outage`, 0, ["credit"]],
  "customers mail-sign-in-link": [() => `${ANA} --reason asked`, 0, ["email"]],
  "promotions list": [() => "", 0, ["promotions", "next"]],
  "promotions show": [() => "FIVE", 0, ["promotion"]],
  "promotions add": [
    () => "SPRING --products 3,7 --percent 12.5 --max-uses 50 --reason spring",
    0,
    ["promotion"],
  ],
  "promotions edit": [() => "FIVE --max-per-person 1 --cycles annually --reason spring", 0, ["promotion"]],
  "promotions switch-off": [() => "FIVE --reason leaked", 0, ["promotion"]],
  "promotions switch-on": [() => "FIVE --reason asked", 1, ["error"]],
  "promotions generate-codes": [() => "FIVE --count 3 --prefix gift --reason fair", 0, ["codes"]],
  "promotions list-codes": [() => "FIVE", 0, ["codes", "counts", "next"]],
  "promotions export-codes": [() => "FIVE - --reason printing", 0, ["file"]],
  "promotions withdraw-codes": [() => "FIVE --prefix GIFT --reason lost", 0, ["withdrawn"]],
  "services list": [() => "", 0, ["services", "next", "isCut"]],
  "services show": [({ order }) => order, 0, ["service"]],
  "services extend": [
    () => "--active-at 2026-06-01T12:00 --days 2 --reason outage",
    0,
    ["campaign", "services", "mails", "isDone"],
  ],
  "services suspend": [({ order }) => `${order} --reason asked`, 1, ["error"]],
  "services resume": [({ order }) => `${order} --reason asked`, 1, ["error"]],
  "services terminate": [({ order }) => `${order} --reason asked`, 1, ["error"]],
  "services recreate": [({ order }) => `${order} --reason asked`, 1, ["error"]],
  "services set-device": [({ order }) => `${order} 00:1A:79:12:34:56 --reason asked`, 1, ["error"]],
  "services set-connections": [({ order }) => `${order} 2 --reason asked`, 1, ["error"]],
  "services credentials": [
    ({ order }) => `${order} --reason asked`,
    0,
    ["number", "username", "password", "host"],
  ],
  "services choose-plan": [
    ({ order }) => `${order} --product 7 --cycle monthly --reason asked`,
    1,
    ["error"],
  ],
  "services keep-plan": [({ order }) => `${order} --reason mistake`, 1, ["error"]],
  "services campaigns": [() => "", 0, ["campaigns"]],
  "services undo": [() => "none", 1, ["error"]],
  "services move-price": [
    ({ order }) => `${order} --price 9.00 --from 2027-01-01 --reason costs`,
    0,
    ["services", "unpriced", "from", "isDone"],
  ],
  "services keep-price": [
    ({ order }) => `${order} --from 2027-01-01 --reason costs`,
    0,
    ["services", "from"],
  ],
  "services release-brake": [() => "--reason checked", 0, ["released", "reason"]],
  "resellers list": [() => "", 0, ["resellers"]],
  "resellers show": [() => ANA, 1, ["error"]],
  "resellers statement": [() => `${ANA} - --reason asked`, 1, ["error"]],
  "resellers grant-credits": [() => `${ANA} 10`, 0, ["granted", "balance"]],
  "affiliates list": [() => "--from 2026-06-01", 0, ["from", "to", "affiliates"]],
  "affiliates show": [() => "none", 1, ["error"]],
  "affiliates export": [() => "- --reason payout", 0, ["file"]],
  "documents list": [() => "unknown", 0, ["documents"]],
  "documents show": [() => "2026-000001", 1, ["error"]],
  "documents continue-after": [
    () => "2026-000001 --reason lost",
    0,
    ["kind", "last", "next", "skipped", "done"],
  ],
  "documents save": [() => "2026-000001 invoice.pdf", 1, ["error"]],
  "accounting show": [() => "", 0, ["from", "to", "invoices", "creditNotes", "tax", "money"]],
  "accounting export": [({ file }) => `payments ${file} --reason books`, 0, ["file"]],
  "accounting one-stop-shop": [() => "2026-Q2", 0, ["quarter", "supplies", "corrections"]],
  "steps show": [() => "", 0, ["from", "to", "totals", "steps"]],
  "blocks list": [() => "", 0, ["blocks"]],
  "blocks add": [() => "DE", 0, ["kind", "value"]],
  "blocks remove": [() => "DE", 1, ["error"]],
  "gateways check": [() => "", 0, ["gateways"]],
  "gateways drain": [() => "coinbase --reason outage", 0, ["gateway", "drainedSince"]],
  "gateways offer": [() => "coinbase --reason answers", 0, ["gateway", "drainedSince"]],
  "gateways rejected-callbacks": [() => "", 0, ["rejected", "stored", "since", "isCut"]],
  "gateways show-rejected-callback": [() => "none", 1, ["error"]],
  "gateways test-callback": [() => "offshore", 1, ["gateway", "callbackUrl", "verdict", "status", "text"]],
  "gateways request-callback": [() => "offshore", 1, ["error"]],
  "mail list": [() => "--address ana --status sent", 0, ["mails", "next"]],
  "mail show": [() => "none", 1, ["error"]],
  "mail resend": [() => "none", 1, ["error"]],
  "mail test": [() => ANA, 1, ["error"]],
  "mail suppressed": [() => "", 0, ["suppressed"]],
  "mail preview": [() => "receipt", 0, ["name", "locale", "subject", "text", "html", "file"]],
  "webhooks add": [() => "https://other.example.test/events", 0, ["webhook", "secret"]],
  "webhooks list": [() => "", 0, ["webhooks"]],
  "webhooks show": [({ webhook }) => webhook, 0, ["webhook"]],
  "webhooks edit": [({ webhook }) => `${webhook} --types order.*`, 0, ["webhook"]],
  "webhooks pause": [({ webhook }) => `${webhook} --reason moving`, 0, ["webhook"]],
  "webhooks resume": [({ webhook }) => `${webhook} --reason moved`, 1, ["error"]],
  "webhooks rotate-secret": [
    ({ webhook }) => `${webhook} --reason leaked`,
    0,
    ["webhook", "secret", "formerUntil"],
  ],
  "webhooks test": [() => "none", 1, ["error"]],
  "webhooks remove": [({ webhook }) => `${webhook} --reason replaced`, 0, ["webhook"]],
  "webhooks redeliver": [({ webhook }) => `${webhook} --event none --reason lost`, 1, ["error"]],
  "webhooks deliveries": [({ webhook }) => webhook, 0, ["deliveries"]],
  "webhooks listen": [() => "0", 1, ["error"]],
  "clock advance": [() => "30d", 0, ["now", "aheadSeconds"]],
  "operators add": [() => "jonas@shop.test --role support", 0, ["link", "until"]],
  "operators list": [() => "", 0, ["operators"]],
  "operators reset": [() => MARTA, 0, ["link", "until"]],
  "operators disable": [() => MARTA, 0, ["email"]],
  "operators sessions": [() => MARTA, 0, ["sessions"]],
  "operators end-sessions": [() => MARTA, 0, ["email", "ended"]],
  "checklist show": [() => "", 0, ["steps", "missing", "lastBackup"]],
  "audit list": [() => "--action x --after 9", 0, ["entries", "next"]],
  "audit export": [({ file }) => `${file} --reason audit`, 0, ["file"]],
  "audit verify": [() => "", 0, ["entries", "brokenAt", "lastHash"]],
  "brand show": [() => "", 0, ["version", "sources", "content"]],
  "brand set": [({ brand }) => `${brand} --reason spring`, 0, ["version", "changes"]],
  "brand versions": [() => "", 0, ["versions", "next"]],
  "brand show-version": [() => "1", 0, ["version", "changes", "content"]],
  "brand compare": [() => "0 1", 0, ["changes"]],
  "brand restore": [() => "1 --reason mistake", 0, ["version", "changes"]],
  "brand reset": [() => "--reason mistake", 0, ["version", "changes"]],
  "catalogue export": [({ file }) => file, 0, ["file"]],
  "catalogue import": [() => "/dev/null", 1, ["error"]],
  "catalogue versions": [() => "", 0, ["versions", "next"]],
  "catalogue show-version": [() => "1", 0, ["version", "changes", "catalogue"]],
  "catalogue compare": [() => "1 2", 0, ["changes"]],
  "catalogue take-back": [() => "1 --reason mistake", 0, ["version", "changes"]],
  "catalogue copy-product": [() => "3 300 --reason sale", 0, ["version", "changes"]],
  "catalogue remove-product": [() => "3 --reason mistake", 0, ["version", "changes"]],
  "catalogue scheduled-prices": [() => "", 0, ["prices"]],
  "catalogue schedule-price": [
    () => "3 --price 89.00 --from 2099-03-01 --reason sale",
    0,
    ["version", "changes"],
  ],
  "catalogue unschedule-price": [() => "3 --from 2099-03-01 --reason mistake", 1, ["error"]],
  "backup create": [({ file }) => file, 0, ["file", "warnings"]],
  "tax set": [() => "tests/fixtures/tax.json --reason start", 0, ["version", "changes"]],
  "tax show": [() => "", 0, ["source", "version", "tableOf", "tax"]],
  "tax confirm": [() => "--reason checked", 1, ["error"]],
  "tax preview": [() => "--country AT --product 3 --region Tyrol --from 2027-01-01", 0, ["prices"]],
  "tax switch-off": [() => "--reason wrong", 0, ["version", "changes"]],
  "tax versions": [() => "", 0, ["versions", "next"]],
  "tax show-version": [() => "2", 0, ["version", "changes", "tax"]],
  "tax compare": [() => "1 2", 0, ["changes"]],
  "tax restore": [() => "1 --reason right", 0, ["version", "changes"]],
  "tax use-file": [() => "--reason file", 0, ["version", "changes"]],
  "secrets re-encrypt": [() => "", 0, ["reEncrypted", "current", "outdated", "unreadable"]],
  "settings show": [() => "", 0, ["settings", "shopFile", "tax"]],
  "backup list": [() => "", 0, ["backups", "tried"]],
  "backup verify": [() => "/dev/null", 1, ["at", "schema", "rows", "error"]],
  "backup restore": [() => "/dev/null", 1, ["error"]],
  doctor: [() => "", 1, ["ok", "checks"]],
}

async function prepare(): Promise<Prepared> {
  const order = await placed(line.backend)
  const held = await placed(line.backend)
  await line.backend.billing.fraudOrder(held.id, "blocked country XK", NOON)
  await line.command(`operators add ${MARTA} --role owner`)
  const added = await line.command("webhooks add https://accounts.example.test/events")
  const webhook = /whe_\S+/.exec(added.output)?.[0] ?? "none added"
  const { products, promotions } = await line.backend.operator.exportCatalogue()
  const made = { author: MARTA, reason: "a sale", at: NOON }
  await line.backend.operator.importCatalogue({ products: products.toReversed(), promotions }, made)
  for (const change of ["set tests/fixtures/tax.json", "confirm"])
    await line.command(`tax ${change} --reason start`)
  line.spoil(`update services set next_step_at = ${NOON - 2 * HOUR}`)
  const brand = join(line.folder, "brand.json")
  writeFileSync(brand, JSON.stringify({ links: { support: "https://northlight.example/help" } }))
  const set = { how: "edit", takenFrom: null, author: MARTA, reason: "a new name", at: NOON } as const
  await line.backend.brand.save({ brand: { name: "Northlight" } }, { ...set, seenVersion: 0 })
  await line.backend.brand.save({}, { ...set, seenVersion: 1 })
  await line.backend.brand.save({ brand: { name: "Southlight" } }, { ...set, seenVersion: 2 })
  return { order: order.id, held: held.id, file: join(line.folder, "written.json"), webhook, brand }
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

/** Commands that only read, and the counts before `--confirm`. */
const reading = [
  "orders list",
  "orders search",
  "orders show",
  "promotions list",
  "promotions show",
  "promotions list-codes",
  "needs list",
  "gateways rejected-callbacks",
  "gateways show-rejected-callback",
  "unmatched-payments list",
  "approvals list",
  "bulk list",
  "bulk resend",
  "bulk retry",
  "jobs list",
  "customers list",
  "customers search",
  "customers show",
  "services list",
  "services show",
  "services extend",
  "services campaigns",
  "services move-price",
  "resellers list",
  "resellers show",
  "affiliates list",
  "affiliates show",
  "documents list",
  "documents show",
  "documents continue-after",
  "accounting show",
  "accounting one-stop-shop",
  "steps show",
  "blocks list",
  "backup list",
  "settings show",
  "gateways check",
  "mail list",
  "mail suppressed",
  "mail preview",
  "webhooks list",
  "webhooks show",
  "webhooks deliveries",
  "operators list",
  "operators sessions",
  "checklist show",
  "audit list",
  "audit verify",
  "brand show",
  "brand versions",
  "brand show-version",
  "brand compare",
  "catalogue export",
  "catalogue versions",
  "catalogue show-version",
  "catalogue compare",
  "catalogue scheduled-prices",
  "tax show",
  "tax preview",
  "tax versions",
  "tax show-version",
  "tax compare",
]

test.each(Object.entries(runs).filter(([, [, exitCode]]) => exitCode === 0))(
  "%s is in the audit log, without a customer's email, unless it only reads",
  async (name, [args]) => {
    const given = args(await prepare())
    const newest = async () => (await line.backend.auditLog.page({ after: 0, limit: 50 })).at(-1)
    const before = await newest()
    await line.command(`${name} ${given}`.trim().replace(/ +/g, " "), "correct horse battery")
    const after = await newest()
    expect(after?.position === before?.position).toBe(reading.includes(name))
    if (reading.includes(name)) return
    expect(after).toMatchObject({ operator: "admin CLI", outcome: "done" })
    expect(JSON.stringify(after)).not.toContain("@example.test")
  },
)

test.each([
  [`mail test ${ANA}`, "send-test-mail", "mail server"],
  ["gateways request-callback offshore", "request-callback", "gateway offshore"],
])("%s is in the audit log, without the address, also if it fails", async (command, action, subject) => {
  await line.command(command)
  const entries = await line.backend.auditLog.page({ after: 0, limit: 50 })
  expect(entries.map((it) => [it.action, it.subject, it.outcome])).toEqual([
    [action, subject, "started"],
    [action, subject, "failed"],
  ])
  expect(JSON.stringify(entries)).not.toContain("@example.test")
})

test("a restored database has an entry about its restoring, after those of the backup", async () => {
  const { file } = await prepare()
  await line.command(`backup create ${file}`)
  await line.command(`backup restore ${file} --replace`)
  const actions = (await line.backend.auditLog.page({ after: 0, limit: 50 })).map(({ action }) => action)
  expect(actions.at(-1)).toBe("restore-backup")
  expect(actions).not.toContain("create-backup")
  expect((await line.backend.auditLog.verify()).brokenAt).toBeNull()
})

test("a command that fails says so in the audit log", async () => {
  const { order } = await prepare()
  expect((await line.command(`orders refuse ${order} --reason chargebacks`)).exitCode).toBe(1)
  expect((await line.backend.auditLog.page({ after: 0, limit: 50 })).at(-1)).toMatchObject({
    action: "refuse-order",
    subject: `order ${order}`,
    outcome: "failed",
    reason: "chargebacks",
  })
})

test("the message of a failed command is in the audit log without the email that it names", async () => {
  await prepare()
  await line.command(`customers change-email ${ANA} not-an-email@`)
  const entry = (await line.backend.auditLog.page({ after: 0, limit: 50 })).at(-1)
  expect(entry).toMatchObject({ action: "correct-email", outcome: "failed" })
  expect(entry?.after).not.toContain("@")
})

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
    expect(output).toMatch(new RegExp(`^ {2}${noun} .*(\n {20}.*)*\\b${verb}`, "m"))
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
