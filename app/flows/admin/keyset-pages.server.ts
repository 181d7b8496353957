import { type Instant, SECOND } from "~/domain/calendar"

/** A search that takes longer is cut, and its page says so. */
export const SEARCH_LIMIT = 2 * SECOND
/** Rows read at once to apply the conditions that have no index: a few milliseconds. */
const BATCH = 200

/** A list that is read by key. `Position`: the place of a row, by which the next batch begins. */
export type KeysetList<Row extends Position, Position> = {
  /** A batch of rows behind a place, in the direction of reading. */
  readonly read: (range: Range<Position>) => Promise<readonly Row[]>
  /** The conditions that no index has checked; absent: none. */
  readonly matches?: ((row: Row) => boolean) | undefined
  /** The place of a row, without its other columns. */
  readonly placeOf: (row: Position) => Position
}

type Range<Position> = {
  readonly beyond: Position | undefined
  readonly newer: boolean
  readonly limit: number
}

export type PageRequest<Position> = {
  readonly size: number
  /** The row before the page, in the direction of reading; absent: the newest page. */
  readonly beyond?: Position | undefined
  /** Read towards newer rows, for the previous page. */
  readonly newer?: boolean | undefined
}

export type KeysetPage<Row, Position> = {
  /** Newest first. */
  readonly rows: readonly Row[]
  /** Where the next page begins; null if there are no older rows. */
  readonly older: Position | null
  /** Where the previous page begins; null on the newest page. */
  readonly newer: Position | null
  /** The time ran out before the page was full: `older` or `newer` goes on with the search. */
  readonly isCut: boolean
}

/**
 * A page of a list. Conditions without an index are checked row by row, in small batches, so that no query takes long on any
 * number of rows. `now`: the machine's clock, which measures how long the search takes.
 */
export async function readPage<Row extends Position, Position>(
  list: KeysetList<Row, Position>,
  { size, beyond, newer = false }: PageRequest<Position>,
  now: () => Instant,
): Promise<KeysetPage<Row, Position>> {
  const until = now() + SEARCH_LIMIT
  const { matches = () => true } = list
  const matching: Row[] = []
  const limit = list.matches ? BATCH : size + 1
  let last: Position | undefined = beyond
  for await (const batch of batches(list, { beyond, newer, limit })) {
    matching.push(...batch.filter(matches))
    last = batch.at(-1) ?? last
    if (matching.length > size)
      return pageOf(list, matching.slice(0, size), { beyond, newer, last: matching[size - 1] })
    if (now() >= until) return { ...pageOf(list, matching, { beyond, newer, last }), isCut: true }
  }
  return pageOf(list, matching, { beyond, newer, last: undefined })
}

/** All rows of a list, newest first, in batches: for a file, or a job. */
export async function* readAll<Row extends Position, Position>(
  list: KeysetList<Row, Position>,
): AsyncGenerator<Row> {
  const { matches = () => true } = list
  for await (const batch of batches(list, { beyond: undefined, newer: false, limit: BATCH }))
    yield* batch.filter(matches)
}

async function* batches<Row extends Position, Position>(
  { read }: KeysetList<Row, Position>,
  { beyond, newer, limit }: Range<Position>,
) {
  let last: Position | undefined = beyond
  for (;;) {
    const batch = await read({ beyond: last, newer, limit })
    if (batch.length > 0) yield batch
    if (batch.length < limit) return
    last = batch.at(-1)
  }
}

type Read<Position> = {
  readonly beyond: Position | undefined
  readonly newer: boolean
  /** Where reading stopped; absent: at the end. */
  readonly last: Position | undefined
}

function pageOf<Row extends Position, Position>(
  { placeOf }: KeysetList<Row, Position>,
  matching: readonly Row[],
  { beyond, newer, last }: Read<Position>,
): KeysetPage<Row, Position> {
  const placeOrNull = (row: Position | undefined) => (row === undefined ? null : placeOf(row))
  const behind = placeOrNull(last)
  if (newer) {
    const rows = matching.toReversed()
    return { rows, older: placeOrNull(rows.at(-1) ?? beyond), newer: behind, isCut: false }
  }
  const before = beyond === undefined ? null : placeOrNull(matching[0])
  return { rows: matching, older: behind, newer: before, isCut: false }
}

/** A time and an id, by which most lists are ordered, as addresses and commands have it. */
export type TimedPlace = { readonly at: Instant; readonly id: string }

/** A place as text; `timedPlaceIn` reads it. */
export function timedPlaceText({ at, id }: TimedPlace): string {
  return `${at}-${id}`
}

/** Null if a text is no place. */
export function timedPlaceIn(text: string): TimedPlace | null {
  const [, at, id] = /^(\d{1,15})-(.{1,64})$/.exec(text) ?? []
  return at === undefined || id === undefined ? null : { at: Number(at), id }
}
