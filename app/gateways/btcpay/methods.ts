import { z } from "zod"
import type { Coin, Transfer } from "~/domain/coin"
import { type Currency, type Money, money } from "~/domain/money"
import { GatewayError } from "~/gateways/gateway"
import { exact, hundredths, isDecimal, minus, nothing, plus, textOf, times } from "./decimal"
import type { BtcpayInvoice, Sums } from "./invoice"

const Decimal = z.string().refine(isDecimal, "must be a decimal")
const Sum = Decimal.refine((text) => !text.startsWith("-"), "must not be negative")

const Payment = z.object({
  value: Sum,
  /** Fee the store charges for the coin; not counted towards the invoice amount. */
  fee: Sum.nullish(),
  status: z.enum(["Invalid", "Processing", "Settled"]),
})
type Payment = z.output<typeof Payment>

/** A payment method of an invoice: one per coin and network. */
const InvoiceMethod = z.object({
  paymentMethodId: z.string(),
  destination: z.string().nullish(),
  paymentLink: z.string().nullish(),
  /** Value of one coin in the invoice's currency. */
  rate: Sum,
  /** Negative after an overpayment. */
  due: Decimal,
  payments: z.array(Payment),
})
type InvoiceMethod = z.output<typeof InvoiceMethod>
export const InvoiceMethods = z.array(InvoiceMethod)

/** The payment methods of a store. */
export const StoreMethods = z.array(z.object({ paymentMethodId: z.string(), enabled: z.boolean() }))

/** Adds up all payments in the invoice's currency; invalid payments do not count. */
export function sumsIn(methods: readonly InvoiceMethod[], currency: Currency): Sums {
  const worth = (statuses: readonly Payment["status"][]) => {
    const total = methods.map((method) => worthOf(method, statuses)).reduce(plus, nothing)
    return moneyOf(Number(hundredths(total)), currency)
  }
  return { seen: worth(["Settled", "Processing"]), confirmed: worth(["Settled"]) }
}

function moneyOf(minor: number, currency: Currency): Money {
  if (Number.isSafeInteger(minor)) return money(Math.max(0, minor), currency)
  throw new GatewayError("unreadable", "Invalid BTCPay payment: amount exceeds the safe integer range")
}

function worthOf({ payments, rate }: InvoiceMethod, statuses: readonly Payment["status"][]) {
  return payments
    .filter(({ status }) => statuses.includes(status))
    .map(({ value, fee }) => times(minus(exact(value), exact(fee ?? "0")), exact(rate)))
    .reduce(plus, nothing)
}

/**
 * Converts payment method ids ("BTC-CHAIN") to coins. LNURL is left out: it is the coin and network of LN, but has no
 * address to display before a second request by the wallet.
 */
export function coinsIn(methods: z.output<typeof StoreMethods>): readonly Coin[] {
  return methods.flatMap(({ paymentMethodId, enabled }) => {
    const coin = enabled ? coinOf(paymentMethodId) : null
    return coin && coin.network !== "LNURL" ? [coin] : []
  })
}

function coinOf(method: string): Coin | null {
  const [, currency, network] = /^(\w+)-(\w+)$/.exec(method) ?? []
  return currency && network ? { currency, network } : null
}

export function methodOf({ currency, network }: Coin): string {
  return `${currency}-${network}`
}

/** Transfer details for the invoice's payment method. Throws `GatewayError` (`unreadable`) when they are missing. */
export function transferOf(invoice: BtcpayInvoice, methods: readonly InvoiceMethod[]): Transfer {
  const method = methods.find(({ paymentMethodId }) => paymentMethodId === invoice.method)
  const coin = coinOf(invoice.method ?? "")
  if (!coin || !method?.destination) {
    throw new GatewayError("unreadable", "Invalid BTCPay invoice: no destination for the chosen coin")
  }
  const { destination: address, paymentLink, due, payments } = method
  const seen = payments.filter(({ status }) => status !== "Invalid").map(({ value }) => exact(value))
  return {
    coin,
    address,
    uri: paymentLink || address,
    expiresAt: invoice.expiresAt,
    amount: due.startsWith("-") ? "0" : textOf(exact(due)),
    seen: textOf(seen.reduce(plus, nothing)),
    // The API reports whether a payment is settled, but no number of confirmations.
    confirmations: null,
  }
}
