/** Billing cycles in the order a price list names them, with their length in months (WHMCS's names, spec section 9). */
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

/** How long a cycle lasts, in months. */
export function monthsOf(cycle: Cycle): number {
  return months[cycle]
}

/**
 * The cycle a display name means ("Semi-Annually", "One Time"): lower case, no hyphens; one-time payments are
 * stored in the monthly column (spec, section 9). Null for anything else.
 */
export function cycleNamed(name: string): Cycle | null {
  const key = name.toLowerCase().replaceAll("-", "").replaceAll(" ", "")
  if (key === "onetime") return "monthly"
  return cycles.find((cycle) => cycle === key) ?? null
}
