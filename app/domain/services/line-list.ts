import { DAY, type Instant } from "../calendar"
import { isPartOfDevice } from "./device-address"
import type { Service } from "./service"

/** What a reseller's list of lines may be limited to. */
export const lineFilters = ["all", "ending", "ended"] as const
export type LineFilter = (typeof lineFilters)[number]

/** A line counts as ending from so long before. */
const ENDING_WITHIN = 7 * DAY
/** Lines on one page. */
const PAGE_LENGTH = 20

type Listed = Pick<Service, "id" | "status" | "paidUntil" | "notes" | "username" | "deviceAddress">

export type LinePage<L> = {
  readonly lines: readonly L[]
  readonly page: number
  readonly pages: number
  /** How many of the lines that were searched for each filter leaves. */
  readonly counts: Readonly<Record<LineFilter, number>>
}

type LineQuery = {
  readonly filter: LineFilter
  readonly page: number
  /** Part of a customer's name, of a username or of a device's address; empty: all lines. */
  readonly search: string
  readonly at: Instant
  /** Id of a line that comes before all others; null: none. */
  readonly first?: string | null
}

/** One page of a reseller's lines, in their order (`inOrder`). */
export function linePage<L extends Listed>(
  lines: readonly L[],
  { filter, page, search, at, first = null }: LineQuery,
): LinePage<L> {
  const wanted = plain(search)
  const named = lines.filter(
    ({ notes, username, deviceAddress }) =>
      plain(`${notes}\n${username}`).includes(wanted) || isPartOfDevice(search, deviceAddress),
  )
  const listed = (name: LineFilter) => named.filter((line) => isListed[name](line, at))
  const found = inOrder(listed(filter), first)
  const pages = Math.max(1, Math.ceil(found.length / PAGE_LENGTH))
  const current = Math.min(Math.max(1, page), pages)
  return {
    lines: found.slice((current - 1) * PAGE_LENGTH, current * PAGE_LENGTH),
    page: current,
    pages,
    counts: {
      all: named.length,
      ending: listed("ending").length,
      ended: listed("ended").length,
    },
  }
}

/** Lines being set up, then those that run, the next to end first, then those that have ended. `first`: id of one before all others. */
export function inOrder<L extends Listed>(lines: readonly L[], first: string | null = null): readonly L[] {
  return lines.toSorted(
    (one, other) => rankOf(one, first) - rankOf(other, first) || endOf(one) - endOf(other),
  )
}

/** What a reseller calls a line: the first line of its notes, or its username. */
export function lineName({ notes, username }: Pick<Service, "notes" | "username">): string {
  return notes.split("\n", 1)[0] || username
}

/** Text without case and accents: "café" is found by "Cafe". */
function plain(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().trim()
}

const isListed: Record<LineFilter, (line: Listed, at: Instant) => boolean> = {
  all: () => true,
  ending: (line, at) => !hasEnded(line) && endsSoon(line, at),
  ended: hasEnded,
}

/** Whether the time of a line is nearly over, or over. */
export function endsSoon({ paidUntil }: Pick<Service, "paidUntil">, at: Instant): boolean {
  return paidUntil !== null && paidUntil <= at + ENDING_WITHIN
}

/** Whether a line has ended, for whatever reason. */
export function hasEnded({ status }: Pick<Service, "status">): boolean {
  return status === "Terminated" || status === "Cancelled"
}

function rankOf(line: Listed, first: string | null): number {
  if (line.id === first) return -1
  if (hasEnded(line)) return 2
  return line.status === "Pending" ? 0 : 1
}

/** A line without an end is last. */
const endOf = ({ paidUntil }: Listed) => paidUntil ?? Number.MAX_SAFE_INTEGER
