import type { AffiliateFigures, AffiliateSpan } from "~/billing/affiliate-admin"
import { affiliateFile, affiliateSpanIn, allAffiliates } from "~/flows/admin/affiliate-figures.server"
import { timedPlaceText } from "~/flows/admin/keyset-pages.server"
import { type Call, type Command, CommandError, UsageError } from "../command"
import { onDisk, writePrivately } from "../files.server"
import { amount, jsonAmount } from "../format"
import { limitIn } from "../limit"
import { placeOption } from "../place-option"
import { jsonOrder, linesOf } from "./orders/list-orders.server"

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
  options: { ...dayOptions, reason: "why, for the audit log" },
  required: ["reason"],
  audit: () => ({ action: "export-affiliates", subject: "affiliates" }),
  async run(call) {
    const [file = ""] = call.args
    const lines = affiliateFile(allAffiliates(call.billing.operator, spanOf(call)))
    await onDisk(file === "-" ? call.write(lines) : writePrivately(file, lines))
    return { text: `Affiliates written to ${file === "-" ? "standard output" : file}.`, data: { file } }
  },
}

const ORDERS = 50

export const showAffiliate: Command = {
  about: "what one affiliate has brought in some days, and its orders, the newest first",
  args: ["ID"],
  options: {
    ...dayOptions,
    limit: `at most this many orders, ${ORDERS} without it`,
    after: 'go on behind this place: "next" of the orders before',
  },
  async run(call) {
    const { billing, args, options } = call
    const [id = ""] = args
    const span = spanOf(call)
    const limit = limitIn(options.limit, ORDERS)
    const beyond = placeOption(options.after)
    const figures = await billing.operator.affiliate(id, span)
    if (!figures) throw new CommandError(`Affiliate "${id}" has had no click and no order.`)
    const found = await billing.operator.affiliateOrders(id, { span, beyond, limit: limit + 1 })
    const orders = found.slice(0, limit)
    const last = found.length > limit ? orders.at(-1) : undefined
    const { firstDay, lastDay } = span
    return {
      text: [`${firstDay} to ${lastDay}`, headingOfSpan(), lineOfSpan(figures), ...linesOf(orders)].join(
        "\n",
      ),
      data: {
        from: firstDay,
        to: lastDay,
        affiliate: jsonFigures(figures),
        orders: orders.map(jsonOrder),
        next: last ? timedPlaceText({ at: last.placedAt, id: last.id }) : null,
      },
    }
  },
}

async function listInSpan({ billing }: Call, span: AffiliateSpan) {
  const listed: AffiliateFigures[] = []
  for await (const figures of allAffiliates(billing.operator, span)) listed.push(figures)
  return {
    text: listed.length === 0 ? "No affiliates." : [headingOfSpan(), ...listed.map(lineOfSpan)].join("\n"),
    data: { from: span.firstDay, to: span.lastDay, affiliates: listed.map(jsonFigures) },
  }
}

function headingOfSpan(): string {
  return [...HEADINGS.map(cell), "Amounts"].join("  ")
}

function lineOfSpan(figures: AffiliateFigures): string {
  return [lineOf(figures), figures.amounts.map(amount).join(" + ")].join("  ").trimEnd()
}

function jsonFigures(figures: AffiliateFigures) {
  return { ...figures, amounts: figures.amounts.map(jsonAmount) }
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
