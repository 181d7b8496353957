import type { Day } from "~/domain/calendar"
import type { Cycle } from "~/domain/catalogue/billing-cycle"
import type { Currency } from "~/domain/money/money"
import type { Mail } from "./mails"
import type { Quirks } from "./quirks"

/** All stored rows. Amounts are hundredths of the client's currency; days are in the local time zone. */
export type State = {
  readonly clients: Client[]
  readonly orders: Order[]
  readonly invoices: Invoice[]
  readonly services: Service[]
  readonly transactions: Transaction[]
  readonly upgrades: Upgrade[]
  readonly promotions: PromotionRow[]
  readonly affiliates: Affiliate[]
  /** Lines at the panel behind the module, by service. */
  readonly lines: Line[]
  /** Messages to clients, oldest first. */
  readonly mails: Mail[]
}

export type Client = {
  readonly id: number
  /** Users have their own ids since 8.0, which never equal the client's id. */
  readonly userId: number
  readonly uuid: string
  email: string
  password: string
  readonly details: Readonly<Record<string, string>>
  readonly currency: Currency
  status: "Active" | "Inactive" | "Closed"
  credit: number
  readonly language: string
  notes: string
  readonly customFields: Readonly<Record<string, string>>
  readonly created: string
}

export type OrderStatus = "Pending" | "Active" | "Fraud" | "Cancelled"

export type Order = {
  readonly id: number
  readonly number: string
  readonly clientId: number
  readonly date: string
  readonly promotion: PromotionRow | null
  readonly amount: number
  readonly gateway: string
  invoiceId: number
  status: OrderStatus
  readonly address: string
  readonly notes: string
  readonly affiliateId: string
  readonly serviceIds: readonly number[]
}

export const serviceStatuses = [
  "Pending",
  "Active",
  "Completed",
  "Suspended",
  "Terminated",
  "Cancelled",
  "Fraud",
] as const
export type ServiceStatus = (typeof serviceStatuses)[number]

export type ServiceCycle = Cycle | "onetime" | "free"

/** Selection of a configurable option: a choice, and the number for quantity and yes/no options. */
export type Chosen = { readonly choiceId: string; readonly quantity: number }

export type Service = {
  readonly id: number
  clientId: number
  readonly orderId: number
  pid: string
  readonly registered: Day
  readonly domain: string
  hasServer: boolean
  gateway: string
  cycle: ServiceCycle
  firstPayment: number
  recurring: number
  nextDue: Day
  status: ServiceStatus
  username: string
  password: string
  notes: string
  promotionId: number
  suspensionReason: string
  readonly fields: Record<string, string>
  options: Record<string, Chosen>
}

export type InvoiceItem = {
  readonly id: number
  readonly type: "Hosting" | "PromoHosting" | "Upgrade" | ""
  readonly relid: number
  description: string
  amount: number
  taxed: boolean
}

export const invoiceStatuses = [
  "Draft",
  "Unpaid",
  "Paid",
  "Cancelled",
  "Refunded",
  "Collections",
  "Payment Pending",
] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]

export type Invoice = {
  readonly id: number
  readonly clientId: number
  date: Day
  due: Day
  paid: string
  status: InvoiceStatus
  gateway: string
  notes: string
  credit: number
  /** As it was configured when the invoice was created. */
  readonly tax: Quirks["tax"]
  items: InvoiceItem[]
}

export type Transaction = {
  readonly id: number
  readonly clientId: number
  readonly invoiceId: number
  readonly transid: string
  readonly gateway: string
  readonly date: string
  readonly amountIn: number
  readonly amountOut: number
  readonly fees: number
  readonly description: string
}

export type Upgrade = {
  readonly id: number
  readonly serviceId: number
  readonly options: Readonly<Record<string, Chosen>>
  readonly recurringChange: number
  /** The other product or cycle; null: an upgrade of options. */
  readonly plan: UpgradedPlan | null
  invoiceId: number
  status: "Pending" | "Completed"
}

export type UpgradedPlan = { readonly pid: string; readonly cycle: ServiceCycle; readonly nextDue: Day }

export type PromotionRow = {
  readonly id: number
  readonly code: string
  readonly type: "Percentage" | "Fixed Amount" | "Price Override" | "Free Setup"
  /** Hundredths of a percent, or of the default currency. */
  readonly value: number
  readonly recurring: boolean
  /** Empty: all cycles. */
  readonly cycles: readonly string[]
  readonly appliesTo: readonly string[]
  readonly starts: Day
  readonly expires: Day
  /** 0: unlimited. */
  readonly maxUses: number
  uses: number
  /** Limits that AddOrder checks for its client, without an error: one use each, or clients without an earlier order. */
  oncePerClient?: boolean
  newSignups?: boolean
}

export type Affiliate = {
  readonly id: number
  readonly clientId: number
  readonly date: Day
  visitors: number
}

export type Line = {
  readonly serviceId: number
  readonly username: string
  password: string
  connections: number
  device: string
  suspended: boolean
}

export function emptyState(): State {
  return {
    clients: [],
    orders: [],
    invoices: [],
    services: [],
    transactions: [],
    upgrades: [],
    promotions: [],
    affiliates: [],
    lines: [],
    mails: [],
  }
}

export const copyOf = (state: State): State => structuredClone(state)

/** Replaces the rows in place: the lists of a state are shared. */
export function replaceWith(state: State, backup: State): void {
  const rows = copyOf(backup)
  for (const name of Object.keys(state) as (keyof State)[])
    (state[name] as unknown[]).splice(0, state[name].length, ...rows[name])
}

/** Id of the next row. Those of the last rows are given out again if these are deleted, as by MySQL 5.7 after a restart. */
export function nextId(rows: readonly { readonly id: number }[]): number {
  return (rows.at(-1)?.id ?? 0) + 1
}
