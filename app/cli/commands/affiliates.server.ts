import type { AffiliateFigures, AffiliateSpan } from "~/billing/affiliate-admin"
import { affiliateFile, affiliateSpanIn, allAffiliates } from "~/flows/admin/affiliate-figures.server"
import { type Call, type Command, UsageError } from "../command"
import { onDisk, writePrivately } from "../files.server"
import { amount, jsonAmount } from "../format"

const HEADINGS = ["Affiliate", "Clicks", "Orders", "Paid"]

const dayOptions = {
  from: "first day of the shop's calendar, such as 2026-11-01; 30 days before the end without it",
  to: "last day, today without it",
}

export const listAffiliates: Command = {
  about: "clicks, orders and paid orders of each affiliate, of all time or, with amounts, of some days",
  args: [],
  options: dayOptions,
  async run(call) {
    const { billing, options } = call
    if (options.from !== undefined || options.to !== undefined) return listInSpan(call, spanOf(call))
    const listed = await billing.operator.affiliates()
    const data = { affiliates: listed.map(({ id, clicks, orders, paid }) => ({ id, clicks, orders, paid })) }
    if (listed.length === 0) return { text: "No affiliates.", data }
    return { text: [HEADINGS.map(cell).join("  "), ...listed.map(lineOf)].join("\n"), data }
  },
}

export const exportAffiliates: Command = {
  about: "write what affiliates have brought in some days as a CSV file; - writes to standard output",
  args: ["FILE|-"],
  options: dayOptions,
  audit: () => ({ action: "export-affiliates", subject: "affiliates" }),
  async run(call) {
    const [file = ""] = call.args
    const lines = affiliateFile(allAffiliates(call.billing.operator, spanOf(call)))
    await onDisk(file === "-" ? call.write(lines) : writePrivately(file, lines))
    return { text: `Affiliates written to ${file === "-" ? "standard output" : file}.`, data: { file } }
  },
}

async function listInSpan({ billing }: Call, span: AffiliateSpan) {
  const listed: AffiliateFigures[] = []
  for await (const figures of allAffiliates(billing.operator, span)) listed.push(figures)
  const lines = listed.map((it) => [lineOf(it), it.amounts.map(amount).join(" + ")].join("  ").trimEnd())
  const heading = [...HEADINGS.map(cell), "Amounts"].join("  ")
  return {
    text: lines.length === 0 ? "No affiliates." : [heading, ...lines].join("\n"),
    data: {
      from: span.firstDay,
      to: span.lastDay,
      affiliates: listed.map((it) => ({ ...it, amounts: it.amounts.map(jsonAmount) })),
    },
  }
}

function spanOf({ options, config, now }: Call): AffiliateSpan {
  const span = affiliateSpanIn(options, { timeZone: config.TIME_ZONE, now })
  if (!span)
    throw new UsageError("--from and --to must be days such as 2026-11-01, --from not the later one.")
  return span
}

function lineOf({ id, clicks, orders, paid }: Omit<AffiliateFigures, "amounts">): string {
  return [id, clicks, orders, paid].map(cell).join("  ")
}

function cell(it: string | number): string {
  return String(it).padStart(9)
}
