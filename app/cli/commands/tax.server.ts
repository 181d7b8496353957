import { readFile } from "node:fs/promises"
import type { PresentTax, TaxAdmin } from "~/billing/tax-admin"
import { type Day, dayIn } from "~/domain/calendar"
import { isCountryCode } from "~/domain/customers/country-codes"
import { percentText } from "~/domain/money/basis-points"
import { toDecimal } from "~/domain/money/money"
import { TAX_TABLE_OF } from "~/domain/tax/tax-table"
import { afterTaxStep, saveTax, type TaxStep, taxFlawText } from "~/flows/admin/tax/manage-tax.server"
import { previewTax } from "~/flows/admin/tax/preview-tax.server"
import { taxHistory } from "~/flows/admin/version-history.server"
import { type Call, type Command, CommandError, type CommandResult, UsageError } from "../command"
import { onDisk } from "../files.server"
import { jsonAmount } from "../format"
import { asksReason, madeBy, numberIn, savedResult, versionCommands } from "./version-commands.server"

export const showTax: Command = {
  about: "show the rules of tax in force, and whether they are the console's or the shop file's",
  args: [],
  async run(call) {
    const present = await taxOf(call).present()
    return {
      text: presentText(present),
      data: { source: present.source, version: present.latest, tableOf: TAX_TABLE_OF, tax: present.content },
    }
  },
}

/** "The rules of the console are in force (version 3).", and the rules as the shop file has them. */
function presentText({ source, latest, content }: PresentTax): string {
  if (!content) return "There are no rules: nothing is taxed."
  const rules =
    source === "console" ? `of the console are in force (version ${latest})` : "of SHOP_FILE are in force"
  const unconfirmed = content.confirmedOn === null ? " Nothing is taxed until their rates are confirmed." : ""
  return [`The rules ${rules}.${unconfirmed}`, JSON.stringify(content, null, 2)].join("\n")
}

export const setTax: Command = {
  about: "replace the rules of tax by those of a file, which is like tax in the shop file",
  args: ["FILE"],
  ...asksReason,
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
  ...asksReason,
  audit: () => ({ action: "confirm-tax", subject: "tax" }),
  run: (call) => changed(call, { action: "confirm-tax" }),
}

export const switchOffTax: Command = {
  about: "tax nothing until the rates are confirmed again",
  args: [],
  ...asksReason,
  audit: () => ({ action: "switch-off-tax", subject: "tax" }),
  run: (call) => changed(call, { action: "switch-off-tax" }),
}

export const useTaxFile: Command = {
  about: "use the rules of tax of the shop file again",
  args: [],
  ...asksReason,
  audit: () => ({ action: "use-tax-file", subject: "tax" }),
  run: (call) => changed(call, { action: "use-tax-file" }),
}

export const restoreTax: Command = {
  about: "use the rules of tax of an earlier version again, as a new version",
  args: ["NUMBER"],
  ...asksReason,
  audit: ({ args: [number] }) => ({ action: "take-back-tax", subject: `tax version ${number}` }),
  run: (call) => changed(call, { action: "take-back-tax", version: numberIn(call.args[0]) }),
}

async function changed(call: Call, step: TaxStep): Promise<CommandResult> {
  const tax = taxOf(call)
  const present = await tax.present()
  const to = afterTaxStep(step, present, dayIn(call.config.TIME_ZONE, call.now))
  return savedResult(await saveTax(tax, to, madeBy(call, present.latest)), call, {
    saved: (version) => `Version ${version} of the rules. Running shops use it within two seconds.`,
    same: "The rules are like that already.",
    changed: "The rules have changed meanwhile. Nothing was done: try again.",
    flaw: taxFlawText,
  })
}

export const taxVersions = versionCommands({
  name: "the rules of tax",
  none: "No versions: the rules are those of SHOP_FILE.",
  historyOf: async (call) => taxHistory(taxOf(call), (await taxOf(call).present()).file),
  jsonOf: ({ content }) => ({ tax: content }),
})

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
        `${gross.currency}: net ${toDecimal(net)}, tax ${toDecimal(tax)} (${percentText(rate)}, ${place.country} ${place.kind}), gross ${toDecimal(gross)}`,
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
