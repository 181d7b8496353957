import { pipeline } from "node:stream/promises"
import { pino } from "pino"
import type { ShopTexts } from "~/config/brand-content.server"
import { type Environment, readConfig } from "~/config/config.server"
import type { Config } from "~/config/environment.server"
import { formerVariablesIn } from "~/config/former-variables"
import { printable } from "~/domain/printable"
import { openBilling } from "~/wiring/billing.server"
import { checkDatabaseExists, openDataFolder } from "~/wiring/data-folder.server"
import { gatewaysOf } from "~/wiring/gateways.server"
import { openProvisioner } from "~/wiring/provisioner.server"
import { audited } from "./audited.server"
import { type Call, type Command, CommandError, type CommandResult, UsageError } from "./command"
import { type Parsed, parseLine, type Unparsed } from "./command-line.server"
import { renameNotice } from "./former-commands"
import { prompt } from "./prompt.server"
import { reasonIn } from "./reason"
import { shopTexts, textsWith } from "./shop-texts.server"

/** The exit code: 0, 1 if the command failed, or 2 for a usage error. `output`: its result, or the error message. */
export type ExitResult = { readonly exitCode: 0 | 1 | 2; readonly output: string; readonly isError: boolean }

/** Runs one command of the admin CLI, prints its output and returns the exit code. Errors go to standard error. */
export async function runAdminCli(line: readonly string[], environment: Environment): Promise<number> {
  let output: NodeJS.WritableStream = process.stdout
  const warn = (notice: string) => void process.stderr.write(`${notice}\n`)
  const {
    exitCode,
    output: result,
    isError,
  } = await runCommand(line, {
    environment,
    now: Date.now(),
    prompt: (message) => prompt(printable(message), process.stdin),
    warn,
    async write(content) {
      output = process.stderr
      await pipeline(content, process.stdout, { end: false }).catch(unlessClosed)
    },
  })
  if (isError) output = process.stderr
  try {
    await pipeline([`${result}\n`], output, { end: false }).catch(unlessClosed)
    return exitCode
  } catch (error) {
    warn(error instanceof CommandError ? error.message : `Cannot write everything: ${String(error)}.`)
    return 1
  }
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
export async function runCommand(line: readonly string[], surroundings: Surroundings): Promise<ExitResult> {
  const parsed = parseLine(line, surroundings.warn)
  const result = "command" in parsed ? await resultOf(parsed, surroundings) : withoutCommand(parsed, line)
  return { ...result, output: printable(result.output) }
}

/** Help, or a usage error. */
function withoutCommand({ exitCode, output }: Unparsed, line: readonly string[]): ExitResult {
  if (exitCode === 0) return { exitCode, output, isError: false }
  return failure("usage", output, { json: line.includes("--json") })
}

async function resultOf(parsed: Parsed, surroundings: Surroundings): Promise<ExitResult> {
  try {
    const { text, data, isFailure } = await execute(parsed, surroundings)
    const output = parsed.json ? JSON.stringify(data, null, 2) : text
    return { exitCode: isFailure ? 1 : 0, output, isError: false }
  } catch (error) {
    if (!isExpected(error, parsed)) throw error
    return failure(error instanceof UsageError ? "usage" : "failed", error.message, parsed)
  }
}

/** With `--json` every failure is JSON, also one of an upstream or of the settings. */
function isExpected(error: unknown, { json }: Parsed): error is Error {
  return error instanceof CommandError || (json && error instanceof Error)
}

const exitCodes = { failed: 1, usage: 2 } as const

function failure(kind: keyof typeof exitCodes, message: string, { json }: Pick<Parsed, "json">): ExitResult {
  const output = json ? JSON.stringify({ error: { kind, message } }, null, 2) : message
  return { exitCode: exitCodes[kind], output, isError: true }
}

async function execute(
  parsed: Parsed,
  { environment, warn, ...surroundings }: Surroundings,
): Promise<CommandResult> {
  if (parsed.command.required?.includes("reason")) reasonIn(parsed.options.reason)
  const config = readConfig(environment)
  for (const { variable, replacement } of formerVariablesIn(environment)) {
    warn(renameNotice(variable, replacement))
  }
  prepareDatabase(config, parsed.command)
  let ahead = 0
  const now = () => Date.now() + ahead
  let texts: ShopTexts | null = null
  const sellerTexts = () => texts ?? textsWith(config, {})
  const { billing, mirror } = await openBilling(config, { now, log, sellerTexts })
  try {
    // An external billing issues its own documents.
    if (mirror === null) texts = await shopTexts({ billing, config })
    if (config.sandbox) ahead = await billing.operator.clockAhead()
    const { args, options, flags } = parsed
    return await runAudited(parsed.command, {
      ...surroundings,
      environment,
      now: surroundings.now + ahead,
      machineNow: () => Date.now(),
      args,
      options,
      flags,
      billing,
      config,
      log,
      externalBilling: mirror?.externalBilling ?? null,
      provisioner: () => openProvisioner(config, mirror),
      gateways: () => gatewaysOf(config, { externalGateways: mirror, now }),
    })
  } finally {
    await billing.close()
  }
}

/** Runs a command, with entries in the audit log before and after it if it changes something. */
async function runAudited(command: Command, call: Call): Promise<CommandResult> {
  const about = await command.audit?.(call)
  if (!about) return command.run(call)
  const { action, subject } = about
  return audited(call, { action, subject, reason: call.options.reason?.trim() || null }, async () => {
    const value = await command.run(call)
    return { after: value.after, value }
  })
}

/** Throws an `Error` if there is no database and the command creates none. */
function prepareDatabase(config: Config, { createsDatabase }: Pick<Command, "createsDatabase">): void {
  if (createsDatabase) openDataFolder(config.DATA_DIR)
  else checkDatabaseExists(config)
}
