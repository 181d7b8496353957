import type { SeenVersion, Version } from "~/billing/versions"
import type { Flaw } from "~/domain/flaw"
import { ADMIN_CLI } from "~/domain/operators/operator"
import { versionNumberIn } from "~/domain/version-number"
import type { VersionOutcome } from "~/flows/admin/make-version.server"
import { contentOfVersion, type VersionHistory } from "~/flows/admin/version-history.server"
import { type Call, type Command, CommandError, type CommandResult, UsageError } from "../command"
import { jsonTime, time } from "../format"
import { limitIn } from "../limit"

const USUAL = 50

type Versioned<Content extends object> = {
  /** As in "list versions of the products". */
  readonly name: string
  /** What the list says without a version. */
  readonly none: string
  /** What the help says of number 0, after a semicolon. */
  readonly zero?: string
  readonly historyOf: (call: Call) => Promise<VersionHistory<Content>>
  /** What a version says, as a field of the JSON that shows it. */
  readonly jsonOf: (content: Content) => object
}

/** The commands that list, show and compare the versions of something. */
export function versionCommands<Content extends object>(versioned: Versioned<Content>) {
  const { name, none, zero, historyOf, jsonOf } = versioned
  const list: Command = {
    about: `list versions of ${name}, the last one first`,
    args: [],
    options: { limit: `at most this many, ${USUAL} without it`, after: "those behind this number" },
    async run(call) {
      const limit = limitIn(call.options.limit, USUAL)
      const { after } = call.options
      const before = after === undefined ? undefined : numberIn(after)
      const { versions } = await historyOf(call)
      const found = await versions.versions({ before, limit: limit + 1 })
      const listed = found.slice(0, limit)
      const next = found.length > limit ? (listed.at(-1)?.number ?? null) : null
      return {
        text: listed.map(lineOf).join("\n") || none,
        data: { versions: listed.map(jsonVersion), next },
      }
    },
  }
  const show: Command = {
    about: `show a version of ${name}, and what it has changed`,
    args: ["NUMBER"],
    async run(call) {
      const [typed = ""] = call.args
      const history = await historyOf(call)
      const found = await history.versions.version(numberIn(typed))
      if (!found) throw unknown(typed)
      const former = await contentOfVersion(history, found.number - 1)
      const changes = former ? history.changes(former, found) : []
      return {
        text: [lineOf(found), ...changes].join("\n"),
        data: { version: jsonVersion(found), changes, ...jsonOf(found) },
      }
    },
  }
  const compare: Command = {
    about: `say what is different between two versions of ${name}${zero ? `; ${zero}` : ""}`,
    args: ["NUMBER", "NUMBER"],
    async run(call) {
      const history = await historyOf(call)
      const [before, after] = [
        await contentNamed(history, call.args[0]),
        await contentNamed(history, call.args[1]),
      ]
      const changes = history.changes(before, after)
      return { text: changes.join("\n") || "No difference.", data: { changes } }
    },
  }
  return { list, show, compare }
}

async function contentNamed<Content extends object>(history: VersionHistory<Content>, typed = "") {
  if (typed === "0" && history.zero) return history.zero
  const content = await contentOfVersion(history, numberIn(typed))
  if (!content) throw unknown(typed)
  return content
}

/** The number of a version that a command names. */
export function numberIn(text = ""): number {
  const number = versionNumberIn(text)
  if (number === null) throw new UsageError(`"${text}" is not the number of a version.`)
  return number
}

const unknown = (typed = "") => new CommandError(`Version ${typed} not found.`)

function lineOf({ number, at, author, reason, how, takenFrom }: Version): string {
  const origin = takenFrom === null ? how : `${how} of ${takenFrom}`
  return [number, time(at), origin, author, reason].filter((it) => it !== null).join("  ")
}

function jsonVersion({ number, at, author, reason, how, takenFrom }: Version) {
  return { number, at: jsonTime(at), author, reason, how, takenFrom }
}

/** What every command that makes a version asks for. */
export const asksReason = {
  options: { reason: "why, for the audit log and the versions" },
  required: ["reason"],
} as const

/** Who makes a version by a command and why. `latest`: number of the last version. */
export function madeBy({ options, now }: Call, latest: number): SeenVersion {
  return { author: ADMIN_CLI, reason: options.reason?.trim() || null, at: now, seenVersion: latest }
}

type Wording = {
  readonly saved: (version: number) => string
  readonly same: string
  readonly changed: string
  readonly flaw: (flaw: Flaw) => string
}

/** The result of a command that was to make a version. Throws a `CommandError` if it did not. */
export function savedResult(outcome: VersionOutcome, { args }: Call, wording: Wording): CommandResult {
  switch (outcome.kind) {
    case "saved": {
      const { version, changes } = outcome
      const result = { version, changes }
      return { text: [wording.saved(version), ...changes].join("\n"), data: result, after: result }
    }
    case "invalid":
      throw new CommandError(outcome.flaws.map(wording.flaw).join("\n"))
    case "unknown-version":
      throw unknown(args[0])
    default:
      throw new CommandError(wording[outcome.kind])
  }
}
