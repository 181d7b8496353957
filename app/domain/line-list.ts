import { DAY, type Instant } from "./calendar"
import type { Service } from "./service"

/** What a reseller's list of lines may be limited to. */
export const lineFilters = ["all", "ending", "ended"] as const
export type LineFilter = (typeof lineFilters)[number]

/** A line counts as ending from so long before. */
const ENDING_WITHIN = 7 * DAY
/** Lines on one page. */
const PAGE_LENGTH = 20

type Listed = Pick<Service, "status" | "paidUntil">

export type LinePage<L> = {
  readonly lines: readonly L[]
  readonly page: number
  readonly pages: number
}

/** One page of a reseller's lines: those being set up, then those that run, the next to end first, then those that have ended. */
export function linePage<L extends Listed>(
  lines: readonly L[],
  { filter, page, at }: { readonly filter: LineFilter; readonly page: number; readonly at: Instant },
): LinePage<L> {
  const found = lines
    .filter((line) => isListed[filter](line, at))
    .toSorted((one, other) => rankOf(one) - rankOf(other) || endOf(one) - endOf(other))
  const pages = Math.max(1, Math.ceil(found.length / PAGE_LENGTH))
  const current = Math.min(Math.max(1, page), pages)
  return { lines: found.slice((current - 1) * PAGE_LENGTH, current * PAGE_LENGTH), page: current, pages }
}

const isListed: Record<LineFilter, (line: Listed, at: Instant) => boolean> = {
  all: () => true,
  ending: (line, at) => !hasEnded(line) && endOf(line) <= at + ENDING_WITHIN,
  ended: hasEnded,
}

function hasEnded({ status }: Listed): boolean {
  return status === "Terminated" || status === "Cancelled"
}

function rankOf(line: Listed): number {
  if (hasEnded(line)) return 2
  return line.status === "Pending" ? 0 : 1
}

/** A line without an end is last. */
const endOf = ({ paidUntil }: Listed) => paidUntil ?? Number.MAX_SAFE_INTEGER
