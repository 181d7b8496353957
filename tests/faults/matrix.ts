import { integer, noBias, sample } from "fast-check"
import { type Cell, callsOf, runCell } from "./cell"
import { journeys } from "./journeys"
import { houseTroubles, lineTroubles } from "./troubles"

const AT_ONCE = 6

/** Every journey by every gateway × every trouble on its way × whether somebody tries again, in an order of chance. */
export async function everyCell(seed: number): Promise<readonly Cell[]> {
  const ways = journeys.flatMap((journey) => journey.gateways.map((gateway) => ({ journey, gateway })))
  const cells: Cell[] = []
  await inTurns(ways, async (way) => {
    const asked = await callsOf(way.journey, way.gateway)
    const troubles = [...asked.flatMap(lineTroubles), ...houseTroubles(way.journey)]
    cells.push(
      ...troubles.flatMap((trouble) => [true, false].map((retries) => ({ ...way, trouble, retries }))),
    )
  })
  return shuffled(
    cells.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)),
    seed,
  )
}

/** The first of each kind. */
export function oneOfEachKind(cells: readonly Cell[]): readonly Cell[] {
  return [...new Map(cells.toReversed().map((cell) => [cell.trouble.kind, cell])).values()]
}

function shuffled(cells: readonly Cell[], seed: number): readonly Cell[] {
  const places = sample(noBias(integer()), { seed, numRuns: cells.length })
  return cells
    .map((cell, at) => ({ cell, place: places[at] ?? 0 }))
    .sort((a, b) => a.place - b.place)
    .map(({ cell }) => cell)
}

export type Tally = { cells: number; faults: number; held: number; violations: string[] }

/** Runs cells, several side by side, until there are none left or time is up (`until`, by the machine's clock). */
export async function runCells(cells: readonly Cell[], until = Number.POSITIVE_INFINITY): Promise<Tally> {
  const tally: Tally = { cells: 0, faults: 0, held: 0, violations: [] }
  await inTurns(cells, async (cell) => {
    if (Date.now() > until) return
    const { violations, faults, held } = await runCell(cell)
    tally.cells++
    tally.faults += faults
    if (held) tally.held++
    tally.violations.push(...violations.map((it) => `${nameOf(cell)}: ${it}`))
  })
  return tally
}

function nameOf({ journey, gateway, trouble, retries }: Cell): string {
  return `${journey.name}, ${gateway}, ${trouble.name}, ${retries ? "tries again" : "leaves"}`
}

async function inTurns<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = all.values()
  const lane = async () => {
    for (const one of left) await work(one)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}
