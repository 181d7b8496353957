import type { PriceTable } from "~/domain/catalogue/catalogue"
import { type Currency, currencies } from "~/domain/money/money"
import type { Item } from "./catalogue"
import type { Clock } from "./clock"
import type { Template } from "./mails"
import { text, WhmcsError } from "./params"
import type { Fields } from "./php-form"
import type { Quirks } from "./quirks"
import type { WhmcsResponse } from "./responses"
import type { Client, Invoice, Order, Service, ServiceCycle, State } from "./state"

/** An installation: catalogue, stored rows, configuration and quirks. */
export type Installation = {
  readonly items: readonly Item[]
  readonly state: State
  readonly clock: Clock
  readonly quirks: Quirks
  /** The first is the default; rates are in hundred-thousandths of it. */
  readonly currencies: readonly CurrencyRow[]
  /** Names of the active payment modules. */
  readonly gateways: readonly string[]
  /** When a paid product's module runs: on payment, when staff accept the order, or never. */
  readonly autosetup: "payment" | "on" | ""
  /** Whether products have a welcome e-mail, which is sent whenever WHMCS sets one up by itself. */
  readonly welcomeEmail: boolean
  /** Sends a message to a client's mailbox; null: it is in the mail log alone. */
  readonly deliver: ((to: string, template: Template) => void) | null
  readonly moduleFunctions: readonly string[]
  readonly clientFields: readonly { id: string; name: string; required: boolean }[]
}

export type CurrencyRow = { readonly id: number; readonly code: Currency; readonly rate: number }
export type Action = (installation: Installation, params: Fields) => WhmcsResponse

export const SUCCESS = { result: "success" } as const
const SIGNS: Record<Currency, string> = { EUR: "€", GBP: "£", USD: "$" }

export const prefixOf = (currency: Currency) => SIGNS[currency]
export const suffixOf = (currency: Currency) => ` ${currency}`

/** By default EUR is the default currency and all rates are 1, so that a fixed amount is the same in each. */
export function currencyRows(
  rates: Partial<Record<Currency, number>>,
  codes: readonly Currency[] = currencies,
): readonly CurrencyRow[] {
  return codes.map((code, index) => ({ id: index + 1, code, rate: rates[code] ?? 100_000 }))
}

export function clientBy(installation: Installation, id: string, error = "Client ID Not Found"): Client {
  return found(installation.state.clients, id, error)
}

export function orderBy(installation: Installation, params: Fields, error: string): Order {
  return found(installation.state.orders, text(params, "orderid"), error)
}

export function invoiceBy(installation: Installation, params: Fields): Invoice {
  return found(installation.state.invoices, text(params, "invoiceid"), "Invoice ID Not Found")
}

export function serviceBy(installation: Installation, id: string, error = "Service ID Not Found"): Service {
  return found(installation.state.services, id, error)
}

function found<T extends { readonly id: number }>(rows: readonly T[], id: string, error: string): T {
  const row = rows.find((it) => String(it.id) === id.trim())
  if (!row) throw new WhmcsError(error)
  return row
}

/** Returns a service's product, which always exists: products are never removed. */
export function itemOf(installation: Installation, pid: string): Item {
  const item = installation.items.find(({ id }) => id === pid)
  if (!item) throw new Error(`Unknown product ${pid}`)
  return item
}

export function gatewayIn(installation: Installation, params: Fields): string {
  const gateway = text(params, "paymentmethod")
  if (installation.gateways.includes(gateway)) return gateway
  throw new WhmcsError(`Invalid Payment Method. Valid options include ${installation.gateways.join(",")}`)
}

/** Price in a currency for a cycle; one-time prices are in the monthly column. Null: not offered. */
export function priceIn(table: PriceTable, currency: Currency, cycle: ServiceCycle): number | null {
  if (cycle === "free") return 0
  return table[currency]?.[cycle === "onetime" ? "monthly" : cycle] ?? null
}

/** Returns a page of a list: from `limitstart`, at most `limitnum` rows. */
export function page<T>(params: Fields, rows: readonly T[]): { rows: readonly T[]; start: number } {
  const start = Number.parseInt(text(params, "limitstart"), 10) || 0
  const count = Number.parseInt(text(params, "limitnum"), 10) || 25
  return { rows: rows.slice(start, start + count), start }
}

/** Compares texts like MySQL: ignores case and trailing spaces. */
export function sameText(a: string, b: string): boolean {
  return a.trimEnd().toLowerCase() === b.trimEnd().toLowerCase()
}
