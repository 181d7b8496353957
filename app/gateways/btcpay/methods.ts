import { z } from "zod"
import { centsAtRates, formatDecimal, parseDecimal } from "~/domain/money/decimal"
import { type Currency, type Money, money } from "~/domain/money/money"
import type { Coin, Transfer } from "~/domain/payments/coin"
import { type CoinReference, coinReferences } from "~/domain/payments/coin-reference"
import { exactDecimal } from "~/gateways/fields"
import { GatewayError } from "~/gateways/gateway"
import type { BtcpayInvoice, Sums } from "./invoice"

/** BTCPay's decimals: up to 28 places, never with an exponent. */
const Sum = exactDecimal({ whole: 20, places: 28 })
const Due = z
  .string()
  .regex(/^-?\d{1,20}(\.\d{1,28})?$/, "must be a decimal")
  .transform(parseDecimal)

const Payment = z.object({
  /** The transaction and the number of its output, of a payment on a chain. */
  id: z.string().nullish(),
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
  due: Due,
  payments: z.array(Payment),
})
type InvoiceMethod = z.output<typeof InvoiceMethod>
export const InvoiceMethods = z.array(InvoiceMethod)

/** The payment methods of a store. */
export const StoreMethods = z.array(z.object({ paymentMethodId: z.string(), enabled: z.boolean() }))

/** The addresses of an invoice, and what has paid it. */
export function referencesIn(methods: readonly InvoiceMethod[]): readonly CoinReference[] {
  const payments = methods.flatMap((method) => method.payments)
  return coinReferences(
    methods.map(({ destination }) => destination),
    payments.map(({ id }) => id),
  )
}

/** Adds up all payments in the invoice's currency; invalid payments do not count. */
export function sumsIn(methods: readonly InvoiceMethod[], currency: Currency): Sums {
  const worth = (statuses: readonly Payment["status"][]) =>
    moneyOf(centsAtRates(methods.flatMap((method) => receivedBy(method, statuses))), currency)
  return { seen: worth(["Settled", "Processing"]), confirmed: worth(["Settled"]) }
}

function moneyOf(minor: number, currency: Currency): Money {
  if (Number.isSafeInteger(minor)) return money(Math.max(0, minor), currency)
  throw new GatewayError("unreadable", "Invalid BTCPay payment: amount exceeds the safe integer range")
}

/** Amounts in the method's coin, without the store's fee, and the coin's rate. */
function receivedBy({ payments, rate }: InvoiceMethod, statuses: readonly Payment["status"][]) {
  return payments
    .filter(({ status }) => statuses.includes(status))
    .map(({ value, fee }) => ({ amount: value - (fee ?? 0n), rate }))
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
  const seen = payments.filter(({ status }) => status !== "Invalid").map(({ value }) => value)
  return {
    coin,
    address,
    uri: paymentLink || address,
    expiresAt: invoice.expiresAt,
    amount: formatDecimal(due < 0n ? 0n : due),
    seen: formatDecimal(seen.reduce((sum, it) => sum + it, 0n)),
    // The API reports whether a payment is settled, but no number of confirmations.
    confirmations: null,
  }
}
