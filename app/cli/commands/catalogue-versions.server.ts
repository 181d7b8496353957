import type { CatalogueAdmin, CatalogueVersion, VersionDetails } from "~/billing/catalogue-admin"
import { contentOf } from "~/billing/embedded/catalogue/catalogue-file"
import { catalogueChanges } from "~/domain/catalogue-changes"
import { flawText } from "~/flows/admin/manage-catalogue.server"
import { CLI_OPERATOR } from "~/flows/admin/run-operator-action.server"
import { type Call, type Command, CommandError, UsageError } from "../command"
import { jsonTime, time } from "../format"
import { limitIn } from "../limit"

const USUAL = 50

export const listVersions: Command = {
  about: "list versions of the products, the last one first",
  args: [],
  options: { limit: `at most this many, ${USUAL} without it`, after: "those behind this number" },
  async run(call) {
    const { limit: typed, after } = call.options
    const limit = limitIn(typed, USUAL)
    const before = after === undefined ? undefined : numberIn(after)
    const found = await catalogueOf(call).versions({ before, limit: limit + 1 })
    const listed = found.slice(0, limit)
    const next = found.length > limit ? (listed.at(-1)?.number ?? null) : null
    return {
      text: listed.map(lineOf).join("\n") || "No versions: the products were not changed yet.",
      data: { versions: listed.map(jsonVersion), next },
    }
  },
}

export const showVersion: Command = {
  about: "show a version of the products, and what it has changed",
  args: ["NUMBER"],
  async run(call) {
    const found = await versionNamed(call, call.args[0])
    const former = await catalogueOf(call).version(found.number - 1)
    const changes = former ? catalogueChanges(former.products, found.products) : []
    return {
      text: [lineOf(found), ...changes].join("\n"),
      data: { version: jsonVersion(found), changes, catalogue: contentOf(found.products) },
    }
  },
}

export const compareVersions: Command = {
  about: "say what is different between two versions of the products",
  args: ["NUMBER", "NUMBER"],
  async run(call) {
    const [before, after] = [await versionNamed(call, call.args[0]), await versionNamed(call, call.args[1])]
    const changes = catalogueChanges(before.products, after.products)
    return { text: changes.join("\n") || "No difference.", data: { changes } }
  },
}

export const takeBackVersion: Command = {
  about: "give the products the state of an earlier version again, as a new version",
  args: ["NUMBER"],
  options: { reason: "why, for the audit log and the versions" },
  required: ["reason"],
  audit: ({ args: [number] }) => ({ action: "take-back-catalogue", subject: `catalogue version ${number}` }),
  async run(call) {
    const catalogue = catalogueOf(call)
    const { number } = await versionNamed(call, call.args[0])
    const { latest } = await catalogue.present()
    const reason = call.options.reason?.trim() || null
    const made = { author: CLI_OPERATOR, reason, at: call.now, seenVersion: latest }
    const saved = await catalogue.takeBack(number, made)
    switch (saved?.kind) {
      case "saved": {
        const changes = catalogueChanges(saved.before, saved.after)
        const { version } = saved
        return {
          text: [`Version ${version} has the products of version ${number}.`, ...changes].join("\n"),
          data: { version, changes },
          after: { version, changes },
        }
      }
      case "invalid":
        throw new CommandError(saved.flaws.map(flawText).join("\n"))
      case "same":
        throw new CommandError(`The products are those of version ${number} already.`)
      default:
        throw new CommandError("The products have changed meanwhile. Nothing was done: try again.")
    }
  },
}

function catalogueOf({ billing }: Call): CatalogueAdmin {
  if (billing.catalogue) return billing.catalogue
  throw new CommandError("The external billing system has the products: change them there.")
}

async function versionNamed(call: Call, typed = ""): Promise<VersionDetails> {
  const version = await catalogueOf(call).version(numberIn(typed))
  if (!version) throw new CommandError(`Version ${typed} not found.`)
  return version
}

function numberIn(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`"${text}" is not the number of a version.`)
  return Number(text)
}

function lineOf({ number, at, author, reason, how, takenFrom }: CatalogueVersion): string {
  const origin = takenFrom === null ? how : `${how} of ${takenFrom}`
  return [number, time(at), origin, author, reason].filter((it) => it !== null).join("  ")
}

function jsonVersion({ at, ...version }: CatalogueVersion) {
  return { ...version, at: jsonTime(at) }
}
