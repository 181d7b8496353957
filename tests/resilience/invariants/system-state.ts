import type { StoredRows } from "./stored-rows"

/** Money that a gateway has taken, by its own record. */
export type GatewayPayment = {
  /** By which the shop may know it: the gateway's own name for it, and those it was given. */
  readonly names: readonly string[]
  /** In minor units. */
  readonly received: number
}

/** A line as the panel has it. */
export type PanelLine = {
  readonly serviceId: string
  readonly username: string
  readonly connections: number
}

/** What the books say, and what others say of the same. */
export type SystemState = {
  readonly database: StoredRows
  /** Null where nobody has written down what was paid. */
  readonly gateways: readonly GatewayPayment[] | null
  /** Lines that work; null where nobody has written down what was set up. */
  readonly panel: readonly PanelLine[] | null
  /** How many purchases a person has meant to make, by e-mail; whoever is not named may have made any number. */
  readonly meant: ReadonlyMap<string, number>
  /** The shop's clock, in milliseconds. */
  readonly now: number
}

export type Order = StoredRows["orders"][number]
export type Invoice = StoredRows["invoices"][number]

export const unpaidFinalStatuses = ["cancelled", "expired", "fraud"]
export const paidStatuses = ["paid", "active"]

export function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, amount) => all + amount, 0)
}

/** The one in a list that a name belongs to. */
export function byName<T>(rows: readonly T[], name: (row: T) => string): ReadonlyMap<string, T> {
  return new Map(rows.map((row) => [name(row), row]))
}

/** All in a list that belong to a name; none for a name that is not there. */
export function grouped<T>(rows: readonly T[], name: (row: T) => string): (name: string) => readonly T[] {
  const groups = Map.groupBy(rows, name)
  return (wanted) => groups.get(wanted) ?? []
}
