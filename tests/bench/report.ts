import type { Weight } from "../../scripts/page-weight.mjs"
import { type Encoding, encodings } from "./capture"
import { type Figures, median } from "./figures"
import { type Contestant, contestants, type Reading, type Subject, subjects } from "./measure"

export type Round = readonly Reading[]

const WIDTHS = [22, 10, 21, 11, 9, 9, 12]
const KILO = 1_000

/** All that was measured, as a table; below it the aims beside what was reached. */
export function report(rounds: readonly Round[], weight: Weight): string {
  const head = row(["", "accepts", "", "per second", "p50 ms", "p99 ms", "shop ÷ it"])
  const rows = subjects.flatMap((subject) =>
    encodings.flatMap((encoding) => contestants.flatMap((who) => rowOf(rounds, { subject, encoding, who }))),
  )
  return [head, ...rows, "", ...weights(weight), "", ...aims(rounds, weight)].join("\n")
}

type Cell = { subject: Subject; encoding: Encoding; who: Contestant }

function rowOf(rounds: readonly Round[], cell: Cell): string[] {
  const { subject, encoding, who } = cell
  const all = rounds.flatMap((round) => find(round, cell))
  if (all.length === 0) return []
  const middle = (of: (figures: Figures) => number, digits: number) => median(all.map(of)).toFixed(digits)
  const times = [middle((it) => it.p50, 2), middle((it) => it.p99, 2)]
  const than = who === "shop" ? "" : ratio(rounds, cell).toFixed(2)
  const name = subject === "purchase" ? "a whole purchase" : `GET ${subject}`
  return [row([name, encoding || "nothing", who, middle((it) => it.perSecond, 1), ...times, than])]
}

/** How often the shop answers while another answers once: the middle of the rounds, each compared in itself. */
function ratio(
  rounds: readonly Round[],
  { subject, encoding, who }: Cell,
  ours: Contestant = "shop",
): number {
  return median(
    rounds.flatMap((round) => {
      const [shop] = find(round, { subject, encoding, who: ours })
      const [other] = find(round, { subject, encoding, who })
      return shop && other ? [shop.perSecond / other.perSecond] : []
    }),
  )
}

function find(round: Round, { subject, encoding, who }: Cell): Figures[] {
  const fitting = round.filter((it) => it.subject === subject && it.encoding === encoding && it.who === who)
  return fitting.map(({ figures }) => figures)
}

function weights({ script, scriptFiles, style, fonts }: Weight): string[] {
  return [
    "Checkout page, bytes as sent compressed",
    `  script ${kilobytes(script)} in ${scriptFiles} files, style ${kilobytes(style)} inline, fonts ${kilobytes(fonts)}`,
  ]
}

function aims(rounds: readonly Round[], { script }: Weight): string[] {
  const of = (who: Contestant, encoding: Encoding, ours?: Contestant) =>
    ratio(rounds, { subject: "/checkout/", encoding, who }, ours)
  const known = (who: Contestant, encoding: Encoding) => of(who, encoding, "shop, known visitor").toFixed(2)
  return [
    "Aims for GET /checkout/",
    aim("share of renderToString", of("renderToString", ""), 0.35),
    aim("times React Router's server", of("React Router", ""), 2),
    aim("the same, when a browser asks for compression", of("React Router", "gzip, br"), 5),
    `  known visitor  ${known("renderToString", "")} of renderToString, ${known("React Router", "")} and ${known("React Router", "gzip, br")} times React Router's server`,
    `  ${script <= 130 * KILO ? "reached" : "MISSED "}  script ${kilobytes(script)}, aim at most ${kilobytes(130 * KILO)}`,
  ]
}

function aim(what: string, reached: number, least: number): string {
  return `  ${reached >= least ? "reached" : "MISSED "}  ${what}: ${reached.toFixed(2)}, aim ${least} or more`
}

const kilobytes = (bytes: number) => `${(bytes / KILO).toFixed(1)} kB`

function row(cells: readonly string[]): string {
  const padded = cells.map((cell, at) => {
    const width = WIDTHS[at] ?? 0
    return at < 3 ? cell.padEnd(width) : cell.padStart(width)
  })
  return padded.join("")
}
