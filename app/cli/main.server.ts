import { pipeline } from "node:stream/promises"
import { parseArgs } from "node:util"
import { pino } from "pino"
import { type Environment, readConfig } from "~/config/config.server"
import type { Config } from "~/config/environment.server"
import { formerVariablesIn } from "~/config/former-variables"
import { openBilling } from "~/wiring/billing.server"
import { checkDatabaseExists, openDataFolder } from "~/wiring/data-folder.server"
import { gatewaysOf } from "~/wiring/gateways.server"
import { type Call, type Command, CommandError, flagNames, optionNames } from "./command"
import { affiliates } from "./commands/affiliates.server"
import { backup, restore } from "./commands/backup.server"
import { block, blocks, unblock } from "./commands/blocks.server"
import { resend, testCallback } from "./commands/callbacks.server"
import { catalogue } from "./commands/catalogue.server"
import { eraseCustomerData, exportCustomerData } from "./commands/customer-data.server"
import { doctor } from "./commands/doctor.server"
import { gateways } from "./commands/gateways.server"
import { refuse, release } from "./commands/held-orders.server"
import { discardJob, listJobs, retryJobs } from "./commands/jobs.server"
import { orders } from "./commands/list-orders.server"
import { cancel, paid, poll as pollGateways } from "./commands/order-commands.server"
import { grantCredits, resellers } from "./commands/resellers.server"
import { password } from "./commands/set-password.server"
import { order } from "./commands/show-order.server"
import { link } from "./commands/sign-in-link.server"
import { printable } from "./format"
import { currentName, formerCommands, formerOptions, renameNotice } from "./former-commands"
import { prompt } from "./prompt.server"

const MANUAL = `Usage: npm run admin -- COMMAND

  orders [--status STATUS] [--limit N]  list orders, newest first
  orders release NUMBER --reason TEXT   release an order from the fraud hold, with a new deadline
  orders refuse NUMBER --reason TEXT    refuse an order on fraud hold for good
  order NUMBER                          show one order: lines, payments, service, timeline
  poll NUMBER                           query the gateways for its payments and record the result
  resend-callback NUMBER                ask the gateway to resend its callback (if supported)
  test-callback GATEWAY                 ask the gateway to send a test callback (if supported)
  mark-paid NUMBER --reason TEXT [--force]
                                        mark an order as paid, after polling its gateways; cancels its open
                                        payments
  cancel NUMBER --reason TEXT [--force] cancel an unpaid order, after polling its gateways; cancels its open
                                        payments, and money received becomes account credit
                                        --force, for both: also if a gateway is unreachable or a payment is in
                                        progress
  doctor                                check the billing setup
  gateways                              check each gateway and show recent activity
  jobs list                             list failed jobs: parked, or waiting for a retry
  jobs retry NUMBER|--all               run failed jobs now: one job, those of an order, or all parked jobs
  jobs discard NUMBER                   discard a parked job
  sign-in-link EMAIL [--service-id ID] [--expires-in 7d]
                                        create a signed sign-in link (30m, 12h, 7d …; at most 90d)
  set-password EMAIL                    set a customer's password (typed or piped)
  export EMAIL [--file FILE]            export a customer's data as JSON
  erase EMAIL [--force]                 erase a customer's personal data; --force also with open orders,
                                        active services or credit
  block VALUE [--reason TEXT]           block an IP address, network (192.0.2.0/24) or country
  unblock VALUE                         remove a block
  blocks                                list blocks
  affiliates                            clicks, orders and paid orders per affiliate
  resellers                             list resellers and their credits
  grant-credits EMAIL N [--reason TEXT] grant reseller credits
  backup FILE|-                         back up the database (online); - writes to standard output
  restore FILE [--replace]              restore into an empty database; --replace overwrites
  catalogue export FILE                 export products and promotions
  catalogue import FILE                 replace products and promotions`

const commands: Readonly<Record<string, Command | undefined>> = {
  orders,
  "orders release": release,
  "orders refuse": refuse,
  order,
  poll: pollGateways,
  "resend-callback": resend,
  "test-callback": testCallback,
  "mark-paid": paid,
  cancel,
  doctor,
  gateways,
  jobs: listJobs,
  "jobs list": listJobs,
  "jobs retry": retryJobs,
  "jobs discard": discardJob,
  "sign-in-link": link,
  "set-password": password,
  export: exportCustomerData,
  erase: eraseCustomerData,
  block,
  unblock,
  blocks,
  affiliates,
  resellers,
  "grant-credits": grantCredits,
  backup,
  restore,
  catalogue,
}

/** The exit code: 0, 1 if the command failed, or 2 for a usage error. */
export type CommandResult = { readonly exitCode: 0 | 1 | 2; readonly output: string }

/** Runs one command of the admin CLI, prints its output and returns the exit code. Errors go to standard error. */
export async function runAdminCli(line: readonly string[], environment: Environment): Promise<number> {
  let output: NodeJS.WritableStream = process.stdout
  const warn = (notice: string) => void process.stderr.write(`${notice}\n`)
  const { exitCode, output: result } = await runCommand(line, {
    environment,
    now: Date.now(),
    prompt: (message) => prompt(printable(message), process.stdin),
    warn,
    async write(content) {
      output = process.stderr
      await pipeline(content, process.stdout, { end: false }).catch(unlessClosed)
    },
  })
  if (exitCode !== 0) output = process.stderr
  output.write(`${result}\n`)
  return exitCode
}

/** EPIPE: the reader closed the pipe, for example `head`. */
function unlessClosed(error: NodeJS.ErrnoException): never {
  if (error.code !== "EPIPE") throw error
  throw new CommandError("Cannot write everything: standard output was closed.", { cause: error })
}

/** Logs to standard error, because another program may read the command's standard output. */
const log = pino({ level: "warn", base: null }, pino.destination({ fd: 2, sync: true }))

type Surroundings = Pick<Call, "now" | "prompt" | "write"> & {
  readonly environment: Environment
  /** Writes a notice about a former name to standard error. */
  warn(notice: string): void
}

/** Runs a command. Throws the error of an upstream. Control characters in its output are escaped. */
export async function runCommand(
  line: readonly string[],
  surroundings: Surroundings,
): Promise<CommandResult> {
  const { exitCode, output } = await execute(line, surroundings)
  return { exitCode, output: printable(output) }
}

async function execute(
  line: readonly string[],
  { environment, warn, ...surroundings }: Surroundings,
): Promise<CommandResult> {
  if (asksForHelp(line)) return { exitCode: 0, output: MANUAL }
  const understood = read(line, warn)
  if (typeof understood === "string") return { exitCode: 2, output: `${understood}\n\n${MANUAL}` }
  const config = readConfig(environment)
  for (const { variable, replacement } of formerVariablesIn(environment)) {
    warn(renameNotice(variable, replacement))
  }
  prepareDatabase(config, understood)
  const { billing, mirror } = await openBilling(config, { now: Date.now, log })
  try {
    const call = {
      ...understood,
      ...surroundings,
      billing,
      config,
      log,
      externalBilling: mirror?.externalBilling ?? null,
      gateways: () => gatewaysOf(config, mirror),
    }
    return { exitCode: 0, output: await understood.run(call) }
  } catch (error) {
    if (error instanceof CommandError) return { exitCode: 1, output: error.message }
    throw error
  } finally {
    await billing.close()
  }
}

function asksForHelp(line: readonly string[]): boolean {
  return line.includes("--help") || line.includes("-h")
}

/** Throws an `Error` if there is no database and the command creates none. */
function prepareDatabase(config: Config, { createsDatabase }: Pick<Command, "createsDatabase">): void {
  if (createsDatabase) openDataFolder(config.DATA_DIR)
  else checkDatabaseExists(config)
}

type Understood = Pick<Call, "args" | "options" | "flags"> & Pick<Command, "run" | "createsDatabase">

/** Parses a command line; a string is the usage error. */
function read(line: readonly string[], warn: (notice: string) => void): Understood | string {
  const { positionals, tokens } = parseArgs({
    args: [...line],
    allowPositionals: true,
    strict: false,
    tokens: true,
    options: Object.fromEntries([
      ...[...optionNames, ...Object.keys(formerOptions)].map((name) => [name, { type: "string" as const }]),
      ...flagNames.map((name) => [name, { type: "boolean" as const }]),
    ]),
  })
  const { name, args, command } = commandIn(currentPositionals(positionals, warn))
  if (!command) return name ? `Unknown command "${name}".` : "Missing command."
  const written = tokens.filter((it) => it.kind === "option")
  const given = written.map((it) => currentOption(it, warn))
  const wrong = underBothNames(written) ?? wrongOption(name, command, given)
  if (wrong) return wrong
  const form = wrongForm(name, command, args)
  if (form) return form
  const flags = flagNames.filter((flag) => given.some((it) => it.name === flag))
  return {
    args,
    run: command.run,
    createsDatabase: command.createsDatabase ?? false,
    flags,
    options: Object.fromEntries(given.map((it) => [it.name, it.value])),
  }
}

function currentPositionals([first, ...others]: readonly string[], warn: (notice: string) => void) {
  if (first === undefined) return []
  const name = currentName(formerCommands, first)
  if (name !== first) warn(renameNotice(`"${first}"`, `"${name}"`))
  return [name, ...others]
}

function currentOption({ name: former, rawName, value }: Given, warn: (notice: string) => void): Given {
  const name = currentName(formerOptions, former)
  if (name === former) return { name, rawName, value }
  warn(renameNotice(rawName, `--${name}`))
  return { name, rawName: `--${name}`, value }
}

function underBothNames(given: readonly Given[]): string | null {
  const names = given.map(({ name }) => name)
  const former = names.find(
    (name) => Object.hasOwn(formerOptions, name) && names.includes(formerOptions[name] ?? ""),
  )
  return former === undefined ? null : `Cannot use --${former} and --${formerOptions[former]} together.`
}

/** Some commands have two words: the object and the action. */
function commandIn([first = "", second, ...others]: readonly string[]) {
  const both = `${first} ${second}`
  if (Object.hasOwn(commands, both)) return { name: both, args: others, command: commands[both] }
  const args = second === undefined ? others : [second, ...others]
  return { name: first, args, command: Object.hasOwn(commands, first) ? commands[first] : undefined }
}

function wrongForm(
  name: string,
  { args: takes, optionalArg }: Command,
  args: readonly string[],
): string | null {
  const optional = optionalArg === undefined ? [] : [`[${optionalArg}]`]
  const fits = args.length >= takes.length && args.length <= takes.length + optional.length
  return fits ? null : `Usage: ${[name, ...takes, ...optional].join(" ")}`
}

type Given = { readonly name: string; readonly rawName: string; readonly value?: string | undefined }

function wrongOption(name: string, command: Command, given: readonly Given[]): string | null {
  const { options = [], flags = [] }: { options?: readonly string[]; flags?: readonly string[] } = command
  const strange = given.find((it) => ![...options, ...flags].includes(it.name))
  if (strange) return `Unknown option ${strange.rawName} for "${name}".`
  const empty = given.find((it) => options.includes(it.name) && !it.value)
  if (empty) return `Option ${empty.rawName} requires a value.`
  const full = given.find((it) => flags.includes(it.name) && it.value !== undefined)
  return full ? `Option ${full.rawName} takes no value.` : null
}
