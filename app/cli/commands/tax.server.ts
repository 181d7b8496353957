import { readFile } from "node:fs/promises"
import type { PresentTax, TaxAdmin, TaxSaved, TaxVersion, TaxVersionDetails } from "~/billing/tax-admin"
import { type Day, dayIn } from "~/domain/calendar"
import { isCountryCode } from "~/domain/country-codes"
import { toDecimal } from "~/domain/money"
import { taxChanges } from "~/domain/tax-changes"
import { TAX_TABLE_OF } from "~/domain/tax-table"
import { contentAfter, type TaxStep, taxFlawText } from "~/flows/admin/manage-tax.server"
import { previewTax } from "~/flows/admin/preview-tax.server"
import { CLI_OPERATOR } from "~/flows/admin/run-operator-action.server"
import { type Call, type Command, CommandError, UsageError } from "../command"
import { onDisk } from "../files.server"
import { jsonAmount, jsonTime, time } from "../format"
import { limitIn } from "../limit"

const USUAL = 50
const reason = "why, for the audit log and the versions"

export const showTax: Command = {
  about: "show the rules of tax in force, and whether they are the console's or the shop file's",
  args: [],
  async run(call) {
    const present = await taxOf(call).present()
    return {
      text: [sourceText(present), JSON.stringify(present.content, null, 2)].join("\n"),
      data: { source: present.source, version: present.latest, tableOf: TAX_TABLE_OF, tax: present.content },
    }
  },
}

/** "The rules of the console are in force (version 3)." */
function sourceText({ source, latest, content }: PresentTax): string {
  if (!content) return "There are no rules: nothing is taxed."
  const rules =
    source === "console" ? `of the console are in force (version ${latest})` : "of SHOP_FILE are in force"
  return `The rules ${rules}.${content.confirmedOn === null ? " Nothing is taxed until their rates are confirmed." : ""}`
}

export const setTax: Command = {
  about: "replace the rules of tax by those of a file, which is like tax in the shop file",
  args: ["FILE"],
  options: { reason },
  required: ["reason"],
  audit: () => ({ action: "edit-tax", subject: "tax" }),
  async run(call) {
    const [file = ""] = call.args
    const content = jsonOf(file, await onDisk(readFile(file, "utf8")))
    return changed(call, { action: "edit-tax", content })
  },
}

function jsonOf(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new CommandError(`${file} is not JSON.`, { cause })
  }
}

export const confirmTax: Command = {
  about: "say that the rates were checked today: sales are taxed from now on",
  args: [],
  options: { reason },
  required: ["reason"],
  audit: () => ({ action: "confirm-tax", subject: "tax" }),
  run: (call) => changed(call, { action: "confirm-tax" }),
}

export const switchOffTax: Command = {
  about: "tax nothing until the rates are confirmed again",
  args: [],
  options: { reason },
  required: ["reason"],
  audit: () => ({ action: "switch-off-tax", subject: "tax" }),
  run: (call) => changed(call, { action: "switch-off-tax" }),
}

export const useTaxFile: Command = {
  about: "use the rules of tax of the shop file again",
  args: [],
  options: { reason },
  required: ["reason"],
  audit: () => ({ action: "use-tax-file", subject: "tax" }),
  run: (call) => changed(call, { action: "use-tax-file" }),
}

async function changed(call: Call, step: Exclude<TaxStep, { action: "take-back-tax" }>) {
  const tax = taxOf(call)
  const present = await tax.present()
  const to = contentAfter(step, { present, today: dayIn(call.config.TIME_ZONE, call.now) })
  if (to.kind === "no-rules") throw new CommandError("There are no rules of tax.")
  if (to.kind === "invalid") throw new CommandError(to.flaws.map(taxFlawText).join("\n"))
  return savedResult(await tax.change(to.content, madeBy(call, present)))
}

const madeBy = ({ options, now }: Call, { latest }: PresentTax) => ({
  author: CLI_OPERATOR,
  reason: options.reason?.trim() || null,
  at: now,
  seenVersion: latest,
})

function savedResult(saved: TaxSaved | null) {
  if (saved?.kind === "same") throw new CommandError("The rules are like that already.")
  if (saved?.kind !== "saved")
    throw new CommandError("The rules have changed meanwhile. Nothing was done: try again.")
  const { version } = saved
  const changes = taxChanges(saved.before, saved.after)
  return {
    text: [`Version ${version} of the rules. Running shops use it within two seconds.`, ...changes].join(
      "\n",
    ),
    data: { version, changes },
    after: { version, changes },
  }
}

export const listTaxVersions: Command = {
  about: "list versions of the rules of tax, the last one first",
  args: [],
  options: { limit: `at most this many, ${USUAL} without it`, after: "those behind this number" },
  async run(call) {
    const { limit: typed, after } = call.options
    const limit = limitIn(typed, USUAL)
    const before = after === undefined ? undefined : numberIn(after)
    const found = await taxOf(call).versions({ before, limit: limit + 1 })
    const listed = found.slice(0, limit)
    const next = found.length > limit ? (listed.at(-1)?.number ?? null) : null
    return {
      text: listed.map(lineOf).join("\n") || "No versions: the rules are those of SHOP_FILE.",
      data: { versions: listed.map(jsonVersion), next },
    }
  },
}

export const showTaxVersion: Command = {
  about: "show a version of the rules of tax, and what it has changed",
  args: ["NUMBER"],
  async run(call) {
    const found = await versionNamed(call, call.args[0])
    const former = await taxOf(call).version(found.number - 1)
    const { file } = await taxOf(call).present()
    const changes = former ? taxChanges(former.content ?? file, found.content ?? file) : []
    return {
      text: [lineOf(found), ...changes].join("\n"),
      data: { version: jsonVersion(found), changes, tax: found.content },
    }
  },
}

export const compareTaxVersions: Command = {
  about: "say what is different between two versions of the rules of tax",
  args: ["NUMBER", "NUMBER"],
  async run(call) {
    const [before, after] = [await versionNamed(call, call.args[0]), await versionNamed(call, call.args[1])]
    const { file } = await taxOf(call).present()
    const changes = taxChanges(before.content ?? file, after.content ?? file)
    return { text: changes.join("\n") || "No difference.", data: { changes } }
  },
}

export const restoreTax: Command = {
  about: "use the rules of tax of an earlier version again, as a new version",
  args: ["NUMBER"],
  options: { reason },
  required: ["reason"],
  audit: ({ args: [number] }) => ({ action: "take-back-tax", subject: `tax version ${number}` }),
  async run(call) {
    const { number } = await versionNamed(call, call.args[0])
    const present = await taxOf(call).present()
    return savedResult(await taxOf(call).takeBack(number, madeBy(call, present)))
  },
}

export const previewTaxCommand: Command = {
  about: "show what a buyer of a country pays for a plan, with the tax in it",
  args: [],
  options: {
    country: "of the buyer",
    region: "of that country, if it has taxes of its own",
    product: "the plan",
    from: "the day, today without it",
  },
  required: ["country", "product"],
  async run(call) {
    const { country = "", product: id } = call.options
    if (!isCountryCode(country)) throw new UsageError(`"${country}" is not the code of a country.`)
    const { products } = await call.billing.operator.exportCatalogue()
    const product = products.find((it) => it.id === id)
    if (!product) throw new CommandError(`Product "${id}" not found.`)
    const day = dayNamed(call.options.from) ?? dayIn(call.config.TIME_ZONE, call.now)
    const buyer = { named: country, located: null, region: call.options.region }
    const found = previewTax(await taxOf(call).present(), product, { buyer, day })
    const lines = found.map(
      ({ place, rate, net, tax, gross }) =>
        `${gross.currency}: net ${toDecimal(net)}, tax ${toDecimal(tax)} (${rate / 100} %, ${place.country} ${place.kind}), gross ${toDecimal(gross)}`,
    )
    return {
      text: lines.join("\n") || "There are no rules of tax, or the plan has no price.",
      data: {
        prices: found.map(({ place, rate, net, tax, gross }) => ({
          place: place.kind,
          country: place.country,
          percent: rate / 100,
          net: jsonAmount(net),
          tax: jsonAmount(tax),
          gross: jsonAmount(gross),
        })),
      },
    }
  },
}

function dayNamed(text: string | undefined): Day | undefined {
  if (text === undefined || (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)))) return text
  throw new UsageError(`"${text}" is not a day, such as 2026-12-31.`)
}

function taxOf({ billing }: Call): TaxAdmin {
  if (billing.tax) return billing.tax
  throw new CommandError("The external billing system taxes: change the rules there.")
}

async function versionNamed(call: Call, typed = ""): Promise<TaxVersionDetails> {
  const version = await taxOf(call).version(numberIn(typed))
  if (!version) throw new CommandError(`Version ${typed} not found.`)
  return version
}

function numberIn(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`"${text}" is not the number of a version.`)
  return Number(text)
}

function lineOf({ number, at, author, reason, how, takenFrom }: TaxVersion): string {
  const origin = takenFrom === null ? how : `${how} of ${takenFrom}`
  return [number, time(at), origin, author, reason].filter((it) => it !== null).join("  ")
}

function jsonVersion({ at, ...version }: TaxVersion) {
  return { ...version, at: jsonTime(at) }
}
