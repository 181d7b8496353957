import { extname } from "node:path"
import type { NumberSeries } from "~/billing/documents/document-numbers"
import { type Call, type Command, CommandError, UsageError } from "~/cli/command"
import { onDisk, writePrivately } from "~/cli/files.server"
import { amount, jsonAmount, jsonTime } from "~/cli/format"
import { shopTexts } from "~/cli/shop-texts.server"
import type { BrandedShop } from "~/documents/document-page.server"
import { pdfOf } from "~/documents/document-pdf.server"
import { ublOf } from "~/documents/ubl.server"
import { documentSums, type IssuedDocument } from "~/domain/accounting/tax-document"
import { money } from "~/domain/money/money"
import {
  continued,
  type NumberProblem,
  numberAsked,
  numberSubjects,
  numberText,
} from "~/flows/admin/accounting/continue-numbers.server"

export const listDocuments: Command = {
  about: "invoices and credit notes of an order",
  args: ["ORDER"],
  async run({ billing, args: [number = ""] }) {
    const documents = await billing.documents.taxDocumentsOf(number)
    return {
      text: documents.length === 0 ? "No documents." : documents.map(lineOf).join("\n"),
      data: { documents: documents.map(jsonOf) },
    }
  },
}

export const showDocument: Command = {
  about: "an invoice or credit note",
  args: ["NUMBER"],
  async run({ billing, args: [number = ""] }) {
    const document = await documentWith(billing, number)
    return { text: lineOf(document), data: { document: jsonOf(document) } }
  },
}

export const saveDocument: Command = {
  about: "write an invoice or credit note to a file: as PDF, or as XML by EN 16931",
  args: ["NUMBER", "FILE.pdf|FILE.xml"],
  async run({ billing, config, args: [number = "", file = ""] }) {
    const write = writers[extname(file)]
    if (!write) throw new UsageError(`"${file}" ends neither with .pdf nor with .xml.`)
    const document = await documentWith(billing, number)
    const { brand, logo } = await shopTexts({ billing, config })
    await onDisk(writePrivately(file, await write(document, { timeZone: config.TIME_ZONE, brand, logo })))
    return { text: `Written to ${file}`, data: { file } }
  },
}

export const continueAfter: Command = {
  about: "go on after a number that was handed out and is lost, as after restoring a backup",
  args: ["NUMBER"],
  required: ["reason"],
  options: { reason: "for the audit log" },
  flags: { confirm: "do it: it cannot be taken back" },
  async audit({ billing, args: [text = ""], flags, now }) {
    const { number } = possible(text, await billing.operator.numberSeries(now))
    return flags.includes("confirm")
      ? { action: "continue-numbers", subject: numberSubjects[number.kind] }
      : null
  },
  async run({ billing, args: [text = ""], flags, now }) {
    const asked = possible(text, await billing.operator.numberSeries(now))
    const { series, number } = asked
    const [from, next] = [numberText(series), numberText(series, number.sequence + 1)]
    const skipped = number.sequence - series.sequence
    const data = { kind: series.kind, last: from, next, skipped }
    const said =
      skipped === 0
        ? `The next ${names[series.kind]} is ${next}, as it was.`
        : `The next ${names[series.kind]} is ${next}; the last one here was ${from}.`
    if (!flags.includes("confirm"))
      return {
        text: `${said} Nothing is changed yet: --confirm does it, and nothing takes it back.`,
        data: { ...data, done: false },
      }
    const { value, after } = await continued(billing.operator, asked)
    if (!value) throw new CommandError(problems.behind)
    return { text: said, data: { ...data, done: true }, after }
  },
}

const names = { invoice: "invoice", "credit-note": "credit note" } as const

const problems = {
  "no-series":
    "This shop gives no numbers: it has no rules of tax and has issued no invoice. Set up tax first.",
  none: "This is no number of an invoice or credit note of this shop: write it as it is on the document.",
  "other-year": "Only the numbers of this year are still given.",
  behind: "A later number was given already. Numbers never go back.",
} as const satisfies Record<NumberProblem, string>

function possible(text: string, series: readonly NumberSeries[]) {
  const asked = numberAsked(text, series)
  if (asked.kind === "problem") throw new CommandError(problems[asked.problem])
  return asked
}

type Written = string | Uint8Array

const writers: Readonly<
  Record<string, (document: IssuedDocument, shop: BrandedShop) => Written | Promise<Written>>
> = { ".pdf": pdfOf, ".xml": ublOf }

async function documentWith({ documents }: Call["billing"], number: string): Promise<IssuedDocument> {
  const document = await documents.taxDocument(number)
  if (!document) throw new CommandError(`No document ${number}.`)
  return document
}

function lineOf({ kind, number, issuedOn, orderId, currency, lines }: IssuedDocument): string {
  const { gross, tax } = documentSums(lines)
  const sums = `${amount(money(gross, currency))}, tax ${amount(money(tax, currency))}`
  return `${number}  ${kind}  ${issuedOn}  order ${orderId}  ${sums}`
}

function jsonOf({ kind, number, issuedAt, issuedOn, orderId, currency, corrects, lines }: IssuedDocument) {
  const { net, tax, gross } = documentSums(lines)
  const sum = (minor: number) => jsonAmount(money(minor, currency))
  return {
    number,
    kind,
    issuedAt: jsonTime(issuedAt),
    issuedOn,
    order: orderId,
    corrects: corrects?.number ?? null,
    net: sum(net),
    tax: sum(tax),
    gross: sum(gross),
  }
}
