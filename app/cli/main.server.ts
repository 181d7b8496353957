import { pipeline } from "node:stream/promises"
import { parseArgs } from "node:util"
import { pino } from "pino"
import { type Environment, readConfig } from "~/config/config.server"
import { openBilling } from "~/wiring/billing.server"
import { gatewaysOf } from "~/wiring/gateways.server"
import { type Call, type Command, CommandError, flagNames, optionNames } from "./command"
import { affiliates } from "./commands/affiliates.server"
import { backup, restore } from "./commands/backup.server"
import { block, blocks, unblock } from "./commands/blocks.server"
import { resend, testCallback } from "./commands/callbacks.server"
import { catalogue } from "./commands/catalogue.server"
import { erasePerson, exportPerson } from "./commands/customer-data.server"
import { doctor } from "./commands/doctor.server"
import { gateways } from "./commands/gateways.server"
import { refuse, release } from "./commands/held-orders.server"
import { discardJob, listJobs, retryJobs } from "./commands/jobs.server"
import { orders } from "./commands/list-orders.server"
import { ask as askGateways, cancel, paid } from "./commands/order-commands.server"
import { credit, resellers } from "./commands/resellers.server"
import { password } from "./commands/set-password.server"
import { order } from "./commands/show-order.server"
import { link } from "./commands/sign-in-link.server"
import { printable } from "./format"
import { ask } from "./prompt.server"

const MANUAL = `npm run books -- COMMAND

  orders [--status STATUS] [--most N]   the newest orders first
  orders release NUMBER --reason WORDS
                                        lets an order that is held as suspicious go on, with a new deadline
  orders refuse NUMBER --reason WORDS   refuses it for good
  order NUMBER                          one order: lines, payments, service, timeline
  ask NUMBER                            asks the gateways about its payments, and books what they say
  resend NUMBER                         has the gateway report its payment once more, where it can
  test-callback GATEWAY                 has it send a trial report, where it can
  paid NUMBER --reason WORDS [--force]  it is paid by your word; its gateways are asked first, its payments closed
  cancel NUMBER --reason WORDS [--force]
                                        gives an unpaid order up; its gateways are asked first, its payments
                                        closed. --force: also where a gateway gives no answer or money is on its
                                        way. What has been paid of it is the customer's credit
  doctor                                whether whoever keeps the books is all there that a checkout needs
  gateways                              whether each gateway can be spoken with, and what it did lately
  jobs list                             work that has failed: parked and waiting for you, or tried again by itself
  jobs retry NUMBER|--all               has it done now: one job, those of an order, or all that are parked
  jobs discard NUMBER                   gives a parked job up
  link EMAIL [--serviceid ID] [--expires 7d]
                                        a link that signs the customer in, to a service of his if you name
                                        one; it holds for 30m, 12h, 7d and so on, 90d at most
  password EMAIL                        gives a customer the password that is typed or piped in
  export EMAIL [--file FILE]            all that is kept about a customer, as JSON
  erase EMAIL [--force]                 replaces what names him by nothing; --force: also one who has something
                                        open, running or to his credit
  block VALUE [--reason WORDS]          takes no orders from an address, a network (192.0.2.0/24) or a country
  unblock VALUE                         takes them again
  blocks                                who is blocked
  affiliates                            clicks, orders and paid orders of each
  resellers                             who has bought a reseller plan, with his credits
  credit EMAIL +N [--reason WORDS]      gives a customer credits
  backup FILE|-                         all that the books hold, while the shop runs; -: to standard output
  restore FILE [--replace]              makes empty books what a backup says; --replace: also books in use
  catalogue export FILE                 the price list and promotions, to edit
  catalogue import FILE                 makes the price list exactly what the file says`

const commands: Readonly<Record<string, Command | undefined>> = {
  ...{
    orders,
    order,
    ask: askGateways,
    resend,
    "test-callback": testCallback,
    paid,
    cancel,
    doctor,
    gateways,
  },
  ...{ "orders release": release, "orders refuse": refuse },
  ...{ jobs: listJobs, "jobs list": listJobs, "jobs retry": retryJobs, "jobs discard": discardJob },
  ...{ link, password, block, unblock, blocks },
  ...{ affiliates, resellers, credit, catalogue, backup, restore },
  ...{ export: exportPerson, erase: erasePerson },
}

/** The exit code: 0, 1 when it could not be done, or 2 when it was not understood. */
export type CommandResult = { readonly exitCode: 0 | 1 | 2; readonly output: string }

/** The operator's command line. Says what comes of it, and answers the exit code. */
export async function runAdminCli(line: readonly string[], environment: Environment): Promise<number> {
  let output: NodeJS.WritableStream = process.stdout
  const { exitCode: code, output: said } = await runCommand(line, {
    environment,
    now: Date.now(),
    ask: (question) => ask(printable(question), process.stdin),
    async write(content) {
      output = process.stderr
      await pipeline(content, process.stdout, { end: false }).catch(unlessClosed)
    },
  })
  if (code !== 0) output = process.stderr
  output.write(`${said}\n`)
  return code
}

/** Whoever reads it has read enough, or is gone. */
function unlessClosed(error: NodeJS.ErrnoException): never {
  if (error.code !== "EPIPE") throw error
  throw new CommandError("Standard output was closed before everything was written.", { cause: error })
}

/** What is worth a line goes where errors go: what a command says may be read by another program. */
const log = pino({ level: "warn", base: null }, pino.destination({ fd: 2, sync: true }))

type Surroundings = Pick<Call, "now" | "ask" | "write"> & { readonly environment: Environment }

/** Carries out a command; a broken neighbour throws. Whatever somebody has typed, a terminal only shows it. */
export async function runCommand(
  line: readonly string[],
  surroundings: Surroundings,
): Promise<CommandResult> {
  const { exitCode: code, output: said } = await carriedOut(line, surroundings)
  return { exitCode: code, output: printable(said) }
}

async function carriedOut(
  line: readonly string[],
  { environment, ...surroundings }: Surroundings,
): Promise<CommandResult> {
  const understood = read(line)
  if (typeof understood === "string") return { exitCode: 2, output: `${understood}\n\n${MANUAL}` }
  const config = readConfig(environment)
  const { books, beside } = await openBilling(config, { now: Date.now, log })
  try {
    const call = {
      ...{ ...understood, ...surroundings, books, config, log },
      externalBilling: beside?.externalBilling ?? null,
      gateways: () => gatewaysOf(config, beside),
    }
    return { exitCode: 0, output: await understood.run(call) }
  } catch (error) {
    if (error instanceof CommandError) return { exitCode: 1, output: error.message }
    throw error
  } finally {
    await books.close()
  }
}

type Understood = Pick<Call, "args" | "options" | "flags"> & Pick<Command, "run">

/** What a line asks for, or in words why nobody knows. */
function read(line: readonly string[]): Understood | string {
  const { positionals, tokens } = parseArgs({
    ...{ args: [...line], allowPositionals: true, strict: false, tokens: true },
    options: Object.fromEntries([
      ...optionNames.map((name) => [name, { type: "string" as const }]),
      ...flagNames.map((name) => [name, { type: "boolean" as const }]),
    ]),
  })
  const { name, words, command } = commandIn(positionals)
  if (!command) return name ? `There is no command "${name}".` : "Which command?"
  const given = tokens.filter((it) => it.kind === "option")
  const wrong = wrongOption(name, command, given)
  if (wrong) return wrong
  const form = wrongForm(name, command, words)
  if (form) return form
  const flags = flagNames.filter((flag) => given.some((it) => it.name === flag))
  return {
    args: words,
    run: command.run,
    flags,
    options: Object.fromEntries(given.map((it) => [it.name, it.value])),
  }
}

/** Some commands are two words: what it is about, and what is to be done. */
function commandIn([first = "", second, ...others]: readonly string[]) {
  const both = `${first} ${second}`
  if (Object.hasOwn(commands, both)) return { name: both, words: others, command: commands[both] }
  const words = second === undefined ? others : [second, ...others]
  return { name: first, words, command: Object.hasOwn(commands, first) ? commands[first] : undefined }
}

function wrongForm(name: string, { args: takes, mayTake }: Command, words: readonly string[]): string | null {
  const optional = mayTake === undefined ? [] : [`[${mayTake}]`]
  const fits = words.length >= takes.length && words.length <= takes.length + optional.length
  return fits ? null : `That is written "${[name, ...takes, ...optional].join(" ")}".`
}

type Given = { readonly name: string; readonly rawName: string; readonly value?: string | undefined }

function wrongOption(name: string, command: Command, given: readonly Given[]): string | null {
  const { options = [], flags = [] }: { options?: readonly string[]; flags?: readonly string[] } = command
  const strange = given.find((it) => ![...options, ...flags].includes(it.name))
  if (strange) return `"${name}" has no option ${strange.rawName}.`
  const empty = given.find((it) => options.includes(it.name) && !it.value)
  if (empty) return `${empty.rawName} needs a value.`
  const full = given.find((it) => flags.includes(it.name) && it.value !== undefined)
  return full ? `${full.rawName} takes no value.` : null
}
