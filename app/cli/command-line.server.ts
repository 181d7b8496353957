import { CommanderError, InvalidArgumentError, Option, Command as Parser } from "commander"
import { type Call, type Command, optionValues } from "./command"
import { currentName, formerCommands, formerNouns, formerOptions, renameNotice } from "./former-commands"
import { allCommands, grammar, isCommand } from "./grammar.server"

/** A command line that names a command with valid arguments. */
export type Parsed = Pick<Call, "args" | "options" | "flags"> & {
  readonly command: Command
  /** Whether the result is written as JSON. */
  readonly json: boolean
}

/** A command line that runs no command: a usage error (exit code 2), or help (exit code 0). */
export type Unparsed = { readonly exitCode: 0 | 2; readonly output: string }

const AFTER_HELP = `
Every command takes --json (its shapes: docs/admin-cli.md) and --help.
Exit codes: 0 done; 1 failed or refused; 2 usage error: unknown command or option, missing argument,
invalid value.`

/**
 * Parses a command line. Former names are accepted, each with a notice to `warn`.
 * @param line without the program's name
 */
export function parseLine(line: readonly string[], warn: (notice: string) => void): Parsed | Unparsed {
  const both = optionUnderBothNames(line)
  if (both) return { exitCode: 2, output: both }
  let parsed: Parsed | null = null
  let output = ""
  const program = parserOf(
    (it) => {
      parsed = it
    },
    (text) => {
      output += unmarked(text)
    },
  )
  try {
    program.parse(currentLine(line.map(markedId), warn), { from: "user" })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return { exitCode: error.exitCode === 0 ? 0 : 2, output: output.trimEnd() }
  }
  if (!parsed) throw new Error("The parser ran no command")
  return parsed
}

/** No argument of a process has this character. */
const MARK = "\u0000"
const EARLIER_ID = /^-(?=.*[A-Z\d])[\w-]{21}$/

/** Marks an id of an earlier version, some of which begin like an option, as an argument. */
const markedId = (typed: string) => (EARLIER_ID.test(typed) ? `${MARK}${typed}` : typed)
const unmarked = (text: string) => text.replaceAll(MARK, "")

function parserOf(found: (parsed: Parsed) => void, write: (text: string) => void): Parser {
  const program = new Parser("npm run admin --")
    .usage("NOUN VERB")
    .description("The operator's commands.")
    .helpCommand(false)
    .exitOverride()
    .showHelpAfterError("(--help lists what is valid)")
    .configureOutput({
      writeOut: write,
      writeErr: write,
      getOutHelpWidth: () => WIDTH,
      getErrHelpWidth: () => WIDTH,
    })
    .addHelpText("after", AFTER_HELP)
  for (const [noun, entry] of Object.entries(grammar)) {
    if (isCommand(entry)) {
      describe(program.command(noun), entry, found)
      continue
    }
    const parser = program.command(noun).helpCommand(false).summary(Object.keys(entry).join(", "))
    for (const [verb, command] of Object.entries(entry)) describe(parser.command(verb), command, found)
  }
  return program
}

/** Characters in a line of help, on a terminal of any width: the help text is the same everywhere. */
const WIDTH = 120

/** Declares the arguments and options of one command. */
function describe(parser: Parser, command: Command, found: (parsed: Parsed) => void): void {
  const { about, args, optionalArg, options = {}, required = [], flags = {} } = command
  parser.description(about)
  for (const name of args) parser.argument(`<${name}>`)
  if (optionalArg !== undefined) parser.argument(`[${optionalArg}]`)
  for (const [name, help] of entriesOf(options)) {
    const option = new Option(`--${name} <${optionValues[name]}>`, help).argParser(notEmpty)
    parser.addOption(option.makeOptionMandatory(required.includes(name)))
  }
  for (const [name, help] of entriesOf(flags)) parser.option(`--${name}`, help)
  parser.option("--json", "write the result as JSON")
  parser.action(() => {
    const given = parser.options.map((it) => [
      it.long?.slice(2) ?? "",
      parser.getOptionValue(it.attributeName()),
    ])
    const values = Object.fromEntries(given)
    found({
      command,
      args: parser.args.map(unmarked),
      options: Object.fromEntries(entriesOf(options).map(([name]) => [name, valueIn(values[name])])),
      flags: entriesOf(flags).flatMap(([name]) => (values[name] ? [name] : [])),
      json: Boolean(values.json),
    })
  })
}

const valueIn = (value: unknown) => (typeof value === "string" ? unmarked(value) : undefined)

function notEmpty(value: string): string {
  if (value) return value
  throw new InvalidArgumentError("It is empty.")
}

/** `Object.entries` with the names as they are declared. */
function entriesOf<Name extends string>(
  record: Readonly<Partial<Record<Name, string>>>,
): readonly (readonly [Name, string])[] {
  return Object.entries(record) as [Name, string][]
}

/** Replaces former names by those of today. */
function currentLine(line: readonly string[], warn: (notice: string) => void): string[] {
  const [first = "", ...others] = line
  const name = isFormerNoun(line) ? currentName(formerNouns, first) : currentName(formerCommands, first)
  if (name !== first) warn(renameNotice(`"${first}"`, `"${name}"`))
  const options = others.map((it) => currentOption(it, warn))
  return line.length === 0 ? [] : [...name.split(" "), ...options]
}

/** Whether the line is a noun without a verb. Only the former `backup` had an argument, which could be any file. */
function isFormerNoun([noun = "", second]: readonly string[]): boolean {
  if (!Object.hasOwn(formerNouns, noun) || second === "--help" || second === "-h") return false
  if (second === undefined) return noun !== "backup"
  if (noun === "backup") return !allCommands().has(`${noun} ${second}`)
  return second.startsWith("-")
}

function currentOption(written: string, warn: (notice: string) => void): string {
  const [, former = "", value = ""] = /^--([\w-]+)(=.*)?$/s.exec(written) ?? []
  const name = currentName(formerOptions, former)
  if (name === former) return written
  warn(renameNotice(`--${former}`, `--${name}`))
  return `--${name}${value}`
}

function optionUnderBothNames(line: readonly string[]): string | null {
  const isGiven = (name: string) => line.some((it) => it === `--${name}` || it.startsWith(`--${name}=`))
  const both = Object.entries(formerOptions).find(([former, name]) => isGiven(former) && isGiven(name))
  return both ? `Cannot use --${both[0]} and --${both[1]} together.` : null
}
