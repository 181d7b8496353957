import type { StoredRows } from "./stored-rows"

/** A payment as the gateway recorded it. */
export type GatewayPayment = {
  /** Ids under which the shop may know it: the gateway's own and those that the shop assigned. */
  readonly names: readonly string[]
  /** In minor units. */
  readonly received: number
}

/** A line as the panel stores it. */
export type PanelLine = {
  readonly serviceId: string
  readonly username: string
  readonly connections: number
  /** Missing where the panel is not ours to suspend lines at. */
  readonly isSuspended?: boolean
}

/** State of the shop's database, the gateways and the panel. */
export type SystemState = {
  readonly database: StoredRows
  /** Null if no record of payments exists. */
  readonly gateways: readonly GatewayPayment[] | null
  /** Active lines; null if no record of lines exists. */
  readonly panel: readonly PanelLine[] | null
  /** Number of intended purchases by email address; no limit for an address that is missing. */
  readonly meant: ReadonlyMap<string, number>
  /** The shop's clock in milliseconds. */
  readonly now: number
}

export type Order = StoredRows["orders"][number]
export type Invoice = StoredRows["invoices"][number]

export const unpaidFinalStatuses = ["cancelled", "expired", "fraud"]
export const paidStatuses = ["paid", "active"]

export function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, amount) => all + amount, 0)
}

/** Indexes rows by a unique name. */
export function byName<T>(rows: readonly T[], name: (row: T) => string): ReadonlyMap<string, T> {
  return new Map(rows.map((row) => [name(row), row]))
}

/** Groups rows by a name; returns none for an unknown name. */
export function grouped<T>(rows: readonly T[], name: (row: T) => string): (name: string) => readonly T[] {
  const groups = Map.groupBy(rows, name)
  return (wanted) => groups.get(wanted) ?? []
}
