import { z } from "zod"
import type { Coin, Transfer } from "~/domain/coin"
import { type Currency, type Money, money } from "~/domain/money"
import { GatewayError } from "~/gateways/gateway"
import { exact, hundredths, isDecimal, minus, nothing, plus, textOf, times } from "./decimal"
import type { BtcpayInvoice, Sums } from "./invoice"

const Decimal = z.string().refine(isDecimal, "is not a decimal")
const Sum = Decimal.refine((text) => !text.startsWith("-"), "is less than nothing")

const Payment = z.object({
  value: Sum,
  /** What the shop asks for taking a coin; it pays for nothing of the invoice. */
  fee: Sum.nullish(),
  status: z.enum(["Invalid", "Processing", "Settled"]),
})
type Payment = z.output<typeof Payment>

/** What can be paid with, as an invoice shows it: one of them for each coin and network. */
const InvoiceMethod = z.object({
  paymentMethodId: z.string(),
  destination: z.string().nullish(),
  paymentLink: z.string().nullish(),
  /** What one whole coin is worth in the invoice's currency. */
  rate: Sum,
  /** Less than nothing when too much has come. */
  due: Decimal,
  payments: z.array(Payment),
})
type InvoiceMethod = z.output<typeof InvoiceMethod>
export const InvoiceMethods = z.array(InvoiceMethod)

/** What a store takes, as it shows it. */
export const StoreMethods = z.array(z.object({ paymentMethodId: z.string(), enabled: z.boolean() }))

/** What all payments come to in the invoice's currency. Those that proved invalid are none. */
export function sumsIn(methods: readonly InvoiceMethod[], currency: Currency): Sums {
  const worth = (statuses: readonly Payment["status"][]) => {
    const total = methods.map((method) => worthOf(method, statuses)).reduce(plus, nothing)
    return moneyOf(Number(hundredths(total)), currency)
  }
  return { seen: worth(["Settled", "Processing"]), confirmed: worth(["Settled"]) }
}

function moneyOf(minor: number, currency: Currency): Money {
  if (Number.isSafeInteger(minor)) return money(Math.max(0, minor), currency)
  throw new GatewayError("unreadable", "btcpay names a payment larger than any")
}

function worthOf({ payments, rate }: InvoiceMethod, statuses: readonly Payment["status"][]) {
  return payments
    .filter(({ status }) => statuses.includes(status))
    .map(({ value, fee }) => times(minus(exact(value), exact(fee ?? "0")), exact(rate)))
    .reduce(plus, nothing)
}

/**
 * Coins by the names of their methods ("BTC-CHAIN"). LNURL is the same coin on the same network as LN, but has an
 * address only after a second question of the wallet's: nothing that can be shown.
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

/** How an invoice is paid by the method it was opened with. Throws a `GatewayError` when it does not show that. */
export function transferOf(invoice: BtcpayInvoice, methods: readonly InvoiceMethod[]): Transfer {
  const method = methods.find(({ paymentMethodId }) => paymentMethodId === invoice.method)
  const coin = coinOf(invoice.method ?? "")
  if (!coin || !method?.destination) {
    throw new GatewayError("unreadable", "btcpay does not say where the chosen coin goes")
  }
  const { destination: address, paymentLink, due, payments } = method
  const seen = payments.filter(({ status }) => status !== "Invalid").map(({ value }) => exact(value))
  return {
    ...{ coin, address, uri: paymentLink || address, expiresAt: invoice.expiresAt },
    amount: due.startsWith("-") ? "0" : textOf(exact(due)),
    seen: textOf(seen.reduce(plus, nothing)),
    // It says whether a payment is settled, and never how often it is confirmed.
    confirmations: null,
  }
}
