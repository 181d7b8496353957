import type {
  CatalogueAdmin,
  CatalogueSaved,
  CatalogueVersion,
  VersionDetails,
} from "~/billing/catalogue-admin"
import { contentOf } from "~/billing/embedded/catalogue/catalogue-file"
import { catalogueChanges } from "~/domain/catalogue-changes"
import {
  flawText,
  newTypedProduct,
  placeOf,
  withNewProduct,
  withoutProduct,
} from "~/flows/admin/manage-catalogue.server"
import { CLI_OPERATOR } from "~/flows/admin/run-operator-action.server"
import { type Call, type Command, CommandError, type CommandResult, UsageError } from "../command"
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
    if (saved?.kind === "same") throw new CommandError(`The products are those of version ${number} already.`)
    return savedResult(saved, (version) => `Version ${version} has the products of version ${number}.`)
  },
}

export const copyProduct: Command = {
  about: "add a hidden product with all that another one has, under a new id",
  args: ["ID", "NEW-ID"],
  options: { reason: "why, for the audit log and the versions" },
  required: ["reason"],
  audit: ({ args: [, id = ""] }) => ({ action: "edit-catalogue", subject: `product ${id}` }),
  async run(call) {
    const [source = "", pid = ""] = call.args
    const { catalogue, present, place, made } = await changing(call, source)
    if (placeOf(present.content, pid) === null && (await catalogue.isSold(pid)))
      throw new CommandError(
        `Services or orders have the id ${pid} of an earlier product. Choose another one.`,
      )
    const typed = { ...newTypedProduct(present.content, place.list, source), pid }
    const saved = await catalogue.change(withNewProduct(present.content, place.list, typed), made)
    return savedResult(saved, (version) => `Version ${version} has the hidden product ${pid}.`)
  },
}

export const removeProduct: Command = {
  about: "remove a product that was never ordered",
  args: ["ID"],
  options: { reason: "why, for the audit log and the versions" },
  required: ["reason"],
  audit: ({ args: [id = ""] }) => ({ action: "edit-catalogue", subject: `product ${id}` }),
  async run(call) {
    const [pid = ""] = call.args
    const { catalogue, present, made } = await changing(call, pid)
    if (await catalogue.isSold(pid))
      throw new CommandError(`Product ${pid} was ordered, so it cannot be removed. Hide it.`)
    const saved = await catalogue.change(withoutProduct(present.content, pid), made)
    return savedResult(saved, (version) => `Version ${version} does not have product ${pid}.`)
  },
}

/** The catalogue with a product that is in it. */
async function changing(call: Call, pid: string) {
  const catalogue = catalogueOf(call)
  const present = await catalogue.present()
  const place = placeOf(present.content, pid)
  if (!place) throw new CommandError(`Product "${pid}" not found.`)
  const reason = call.options.reason?.trim() || null
  return {
    catalogue,
    present,
    place,
    made: { author: CLI_OPERATOR, reason, at: call.now, seenVersion: present.latest },
  }
}

function savedResult(saved: CatalogueSaved | null, text: (version: number) => string): CommandResult {
  if (saved?.kind === "invalid") throw new CommandError(saved.flaws.map(flawText).join("\n"))
  if (saved?.kind !== "saved")
    throw new CommandError("The products have changed meanwhile. Nothing was done: try again.")
  const { version } = saved
  const changes = catalogueChanges(saved.before, saved.after)
  const result = { version, changes }
  return { text: [text(version), ...changes].join("\n"), data: result, after: result }
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
