/** Billing cycles in catalogue order, with their length in months (WHMCS's names; specification, Catalogue). */
const months = {
  monthly: 1,
  quarterly: 3,
  semiannually: 6,
  annually: 12,
  biennially: 24,
  triennially: 36,
} as const

export type Cycle = keyof typeof months

export const cycles = Object.keys(months) as [Cycle, ...Cycle[]]

/** Length of a cycle in months. */
export function monthsOf(cycle: Cycle): number {
  return months[cycle]
}

/** The cycle of a number of months; null for other numbers. */
export function cycleOfMonths(count: number): Cycle | null {
  return cycles.find((cycle) => months[cycle] === count) ?? null
}

/**
 * Parses a cycle's display name ("Semi-Annually", "One Time"): lower case, without hyphens. One-time prices are stored in
 * the monthly column (specification, Catalogue). Null for unknown names.
 */
export function cycleNamed(name: string): Cycle | null {
  const key = name.toLowerCase().replaceAll("-", "").replaceAll(" ", "")
  if (key === "onetime") return "monthly"
  return cycles.find((cycle) => cycle === key) ?? null
}
