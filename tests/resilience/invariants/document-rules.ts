import type { SystemState } from "./system-state"

/** The numbers of each kind and year of document are 1, 2, 3 and so on, and no order has more than one first invoice. */
export function documentViolations({ database: { tax_documents: documents } }: SystemState): string[] {
  const series = Map.groupBy(documents, ({ kind, year }) => `${kind} numbers of ${year}`)
  const first = Map.groupBy(
    documents.filter(({ position }) => position === 0),
    ({ order_id }) => order_id,
  )
  return [
    ...[...series].flatMap(([name, own]) =>
      outOfSeries(own.map(({ sequence }) => sequence)).map((it) => `${name}: ${it}`),
    ),
    ...[...first].flatMap(([id, { length }]) =>
      length > 1 ? [`order ${id} has ${length} first invoices`] : [],
    ),
  ]
}

function outOfSeries(numbers: readonly number[]): string[] {
  const counts = Map.groupBy(numbers, (number) => number)
  const last = Math.max(0, ...numbers)
  return Array.from({ length: last }, (_, at) => at + 1).flatMap((number) => {
    const times = counts.get(number)?.length ?? 0
    if (times === 1) return []
    return [times === 0 ? `${number} is missing` : `${number} was drawn ${times} times`]
  })
}
