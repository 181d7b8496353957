import { type Command, UsageError } from "~/cli/command"
import { type Day, dayIn, daysAfter } from "~/domain/calendar"
import { type PurchaseStep, purchaseSteps, type StepCount } from "~/domain/orders/purchase-step"

/** Days shown without `--from`, the last one included. */
const USUAL_DAYS = 28

export const showSteps: Command = {
  about: "how far visitors came on their way to a first purchase, by day, plan, gateway and language",
  args: [],
  options: {
    from: `first day of the shop's calendar, such as 2026-11-01; ${USUAL_DAYS} days before the last without it`,
    to: "last day, today without it",
  },
  async run({ billing, options, config, now }) {
    const to = options.to === undefined ? dayIn(config.TIME_ZONE, now) : dayOf("to", options.to)
    const from = options.from === undefined ? daysAfter(to, 1 - USUAL_DAYS) : dayOf("from", options.from)
    if (from > to) throw new UsageError("--from must not be after --to.")
    const counts = await billing.steps.steps(from, to)
    const data = { from, to, totals: totalsOf(counts), steps: counts }
    return { text: counts.length === 0 ? `No steps from ${from} to ${to}.` : report(data), data }
  },
}

/** A day as it is written in the sums. Throws `UsageError` for another text or a day that no calendar has. */
function dayOf(option: string, value: string): Day {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(value) : Number.NaN
  const isDay = !Number.isNaN(at) && new Date(at).toISOString().startsWith(value)
  if (!isDay) throw new UsageError(`--${option} must be a day such as 2026-11-01.`)
  return value
}

type Totals = Readonly<Record<PurchaseStep, number>>

function totalsOf(counts: readonly StepCount[]): Totals {
  const totals = { seen: 0, chosen: 0, email: 0, submitted: 0, left: 0, returned: 0, paid: 0 }
  for (const { step, count } of counts) totals[step] += count
  return totals
}

type Report = { from: Day; to: Day; totals: Totals; steps: readonly StepCount[] }

const breakdowns = [
  ["Plan", ({ plan }: StepCount) => plan ?? "none yet"],
  ["Gateway", ({ gateway }: StepCount) => gateway ?? "none yet"],
  ["Language", ({ locale }: StepCount) => locale],
  ["Day", ({ day }: StepCount) => day],
] as const

function report({ from, to, totals, steps }: Report): string {
  const tables = breakdowns.map(([heading, groupOf]) => table(heading, grouped(steps, groupOf)))
  const all = table("", [
    ["All", totals],
    ...(totals.seen > 0 ? [["Of seen", sharesOf(totals)] as const] : []),
  ])
  return [`From ${from} to ${to}`, all, ...tables].join("\n\n")
}

/** Each step as a share of the visitors who have seen the checkout. */
function sharesOf(totals: Totals): Readonly<Record<PurchaseStep, string>> {
  const share = (step: PurchaseStep) => `${((100 * totals[step]) / totals.seen).toFixed(1)} %`
  return {
    seen: share("seen"),
    chosen: share("chosen"),
    email: share("email"),
    submitted: share("submitted"),
    left: share("left"),
    returned: share("returned"),
    paid: share("paid"),
  }
}

function grouped(counts: readonly StepCount[], groupOf: (count: StepCount) => string) {
  const groups = Map.groupBy(counts, groupOf)
  return [...groups].sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true })).map(toRow)
}

function toRow([name, counts]: [string, readonly StepCount[]]): readonly [string, Totals] {
  return [name, totalsOf(counts)]
}

type Row = readonly [name: string, cells: Readonly<Record<PurchaseStep, number | string>>]

function table(heading: string, rows: readonly Row[]): string {
  const cells = [
    [heading, ...purchaseSteps],
    ...rows.map(([name, values]) => [name, ...purchaseSteps.map((step) => String(values[step]))]),
  ]
  const width = Math.max(...cells.map(([name = ""]) => name.length))
  return cells
    .map(([name = "", ...numbers]) =>
      [name.padEnd(width), ...numbers.map((it) => it.padStart(9))].join("  ").trimEnd(),
    )
    .join("\n")
}
