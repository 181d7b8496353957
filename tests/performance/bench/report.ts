import type { Weight } from "../../../scripts/build/page-weight.mjs"
import { type Encoding, encodings } from "./capture-pages"
import { type Contestant, contestants, type Reading, STATUS, type Subject, subjects } from "./measure"
import { FASTEST_PEER } from "./peers"
import { median, type Statistics } from "./statistics"
import type { Reached } from "./targets"

export type Round = readonly Reading[]

const WIDTHS = [32, 10, 27, 11, 10, 9, 9, 12]
const KILO = 1_000
const KNOWN: Contestant = "shop, known visitor"

/** Formats all measurements as a table. */
export function report(rounds: readonly Round[], weight: Weight): string {
  const head = row(["", "accepts", "", "per second", "per core", "p50 ms", "p99 ms", "shop ÷ it"])
  const rows = subjects.flatMap((subject) =>
    encodings.flatMap((encoding) => contestants.flatMap((who) => rowOf(rounds, { subject, encoding, who }))),
  )
  return [head, ...rows, "", ...weights(weight)].join("\n")
}

type Cell = { subject: Subject; encoding: Encoding; who: Contestant }

function rowOf(rounds: readonly Round[], cell: Cell): string[] {
  const { subject, encoding, who } = cell
  const all = rounds.flatMap((round) => find(round, cell))
  if (all.length === 0) return []
  const middle = (of: (figures: Statistics) => number, digits: number) => median(all.map(of)).toFixed(digits)
  const isOfCore = all.every(({ perCore }) => perCore !== null)
  const perCore = isOfCore ? middle((it) => it.perCore ?? 0, 1) : ""
  const times = [middle((it) => it.p50, 2), middle((it) => it.p99, 2)]
  const than = who === "shop" ? "" : ratio(rounds, cell).toFixed(2)
  return [
    row([
      nameOf(subject),
      encoding || "nothing",
      who,
      middle((it) => it.perSecond, 1),
      perCore,
      ...times,
      than,
    ]),
  ]
}

function nameOf(subject: Subject): string {
  if (subject === "order") return "POST an order"
  return subject === "purchase" ? "a whole purchase" : `GET ${subject}`
}

/** Ratio of the shop's rate to another server's: the median of the ratios of each round. */
function ratio(
  rounds: readonly Round[],
  { subject, encoding, who }: Cell,
  ours: Contestant = "shop",
): number {
  return median(
    rounds.flatMap((round) => {
      const [shop] = find(round, { subject, encoding, who: ours })
      const [other] = find(round, { subject, encoding, who })
      return shop && other ? [quotient(shop, other)] : []
    }),
  )
}

/** Compares processor time if both have it. */
function quotient(one: Statistics, other: Statistics): number {
  if (one.perCore !== null && other.perCore !== null) return one.perCore / other.perCore
  return one.perSecond / other.perSecond
}

function find(round: Round, { subject, encoding, who }: Cell): Statistics[] {
  const fitting = round.filter((it) => it.subject === subject && it.encoding === encoding && it.who === who)
  return fitting.map(({ figures }) => figures)
}

function weights({ script, scriptFiles, style, fonts }: Weight): string[] {
  return [
    "Checkout page, bytes as sent compressed",
    `  script ${kilobytes(script)} in ${scriptFiles} files, style ${kilobytes(style)} inline, fonts ${kilobytes(fonts)}`,
  ]
}

/** Returns the figures of the targets for speed. */
export function speeds(rounds: readonly Round[]): Reached {
  const page = (who: Contestant, encoding: Encoding, shop?: Contestant) =>
    ratio(rounds, { subject: "/checkout/", encoding, who }, shop)
  const known = (who: Contestant, encoding: Encoding) => page(who, encoding, KNOWN)
  return {
    knownVisitorPerRender: known("renderToString", ""),
    knownVisitorPerRouter: known("React Router", ""),
    knownVisitorPerRouterCompressed: known("React Router", "gzip, br"),
    knownVisitorPerPeer: known("renderToString", "") / FASTEST_PEER,
    firstPagePerHttp: page("node:http", ""),
    firstPagePerHttpCompressed: page("node:http", "gzip, br"),
    waitingPagePerCheckout: timesKnown(rounds, "/checkout/waiting"),
    statusPerCheckout: timesKnown(rounds, STATUS),
    orderPerSqlite: ratio(rounds, { subject: "order", encoding: "", who: "node:http" }),
    tail: median(rounds.flatMap((round) => find(round, knownPage).map(({ p50, p99 }) => p99 / p50))),
  }
}

const knownPage = { subject: "/checkout/", encoding: "", who: KNOWN } as const

function timesKnown(rounds: readonly Round[], subject: Subject): number {
  return median(
    rounds.flatMap((round) => {
      const [result] = find(round, { subject, encoding: "", who: "shop" })
      const [page] = find(round, knownPage)
      return result && page ? [quotient(result, page)] : []
    }),
  )
}

const kilobytes = (bytes: number) => `${(bytes / KILO).toFixed(1)} kB`

function row(cells: readonly string[]): string {
  const padded = cells.map((cell, at) => {
    const width = WIDTHS[at] ?? 0
    return at < 3 ? cell.padEnd(width) : cell.padStart(width)
  })
  return padded.join("")
}
