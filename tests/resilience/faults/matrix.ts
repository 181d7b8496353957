import { integer, noBias, sample } from "fast-check"
import { httpFaults, type InjectedFault, infrastructureFaults, type ObservedCall } from "./faults"
import { journeys } from "./journeys"
import { type Cell, runCell, runWithoutFaults } from "./scenario"

const AT_ONCE = 6

type CellSettings = Omit<Cell, "trouble" | "retries">

/** Embedded billing with every gateway; external billing with one, because its calls are the same for all gateways. */
const ways: readonly CellSettings[] = [
  ...journeys.flatMap((journey) =>
    journey.gateways.map((gateway) => ({ journey, gateway, billingSetup: "ours" as const })),
  ),
  ...journeys.map((journey) => ({ journey, gateway: "offshore" as const, billingSetup: "WHMCS" as const })),
]

/** `violations`: of the journeys without faults, which must reach their goals before faults can show anything. */
export type Matrix = { readonly cells: readonly Cell[]; readonly violations: readonly string[] }

/** Returns every combination of journey, fault and retry, in random order. */
export async function everyCell(seed: number, chosen = ways): Promise<Matrix> {
  const cells: Cell[] = []
  const violations: string[] = []
  await runConcurrently(chosen, async (way) => {
    const run = await runWithoutFaults(way)
    const faults = faultsOf(way, run.calls)
    cells.push(...faults.flatMap((trouble) => [true, false].map((retries) => ({ ...way, trouble, retries }))))
    violations.push(...run.violations.map((it) => `${wayOf(way)}, no fault: ${it}`))
  })
  const inOrder = cells.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  return { cells: shuffled(inOrder, seed), violations }
}

function faultsOf(
  { billingSetup, journey }: CellSettings,
  calls: readonly ObservedCall[],
): readonly InjectedFault[] {
  if (billingSetup === "ours") return [...calls.flatMap(httpFaults), ...infrastructureFaults(journey)]
  const gatewayFaults = calls.filter(({ line }) => line === "books").flatMap(httpFaults)
  // WHMCS has no idempotency keys: a request that the network duplicates or delays is processed twice.
  return gatewayFaults.filter(({ kind }) => !/ (twice|arrives-late)$/.test(kind))
}

/** Returns one cell per fault for a buyer, with any gateway. */
export async function oneOfEachFault(seed: number): Promise<Matrix> {
  const [buyer] = journeys
  const { cells, violations } = await everyCell(
    seed,
    ways.filter(({ journey }) => journey === buyer),
  )
  return { cells: [...new Map(cells.map((cell) => [cell.trouble.fault, cell])).values()], violations }
}

/** Returns the first cell of each kind; for external billing a sample. */
export function oneOfEachKind(cells: readonly Cell[]): readonly Cell[] {
  const kinds = [...new Map(cells.toReversed().map((cell) => [cell.trouble.kind, cell])).values()]
  return kinds.filter(({ billingSetup }, at) => billingSetup === "ours" || at % 4 === 0)
}

function shuffled(cells: readonly Cell[], seed: number): readonly Cell[] {
  const places = sample(noBias(integer()), { seed, numRuns: cells.length })
  return cells
    .map((cell, at) => ({ cell, place: places[at] ?? 0 }))
    .sort((a, b) => a.place - b.place)
    .map(({ cell }) => cell)
}

export type Tally = { cells: number; faults: number; held: number; violations: string[] }

/** Runs the cells concurrently until none is left or the machine's clock reaches `until`. */
export async function runCells(
  { cells, violations }: Matrix,
  until = Number.POSITIVE_INFINITY,
): Promise<Tally> {
  const tally: Tally = { cells: 0, faults: 0, held: 0, violations: Array.from(violations) }
  await runConcurrently(cells, async (cell) => {
    if (Date.now() > until) return
    const { violations, faults, held } = await runCell(cell)
    tally.cells++
    tally.faults += faults
    if (held) tally.held++
    tally.violations.push(...violations.map((it) => `${nameOf(cell)}: ${it}`))
  })
  return tally
}

function nameOf({ trouble, retries, ...way }: Cell): string {
  return `${wayOf(way)}, ${trouble.name}, ${retries ? "tries again" : "leaves"}`
}

function wayOf({ journey, gateway, billingSetup }: CellSettings): string {
  return `${journey.name}, ${gateway}, books ${billingSetup}`
}

async function runConcurrently<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = all.values()
  const lane = async () => {
    for (const one of left) await work(one)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}
