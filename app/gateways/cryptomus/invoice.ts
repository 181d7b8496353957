import { z } from "zod"
import { type Instant, SECOND } from "~/domain/calendar"
import type { Coin } from "~/domain/coin"
import { currencies, fromDecimal, type Money, money, toDecimal } from "~/domain/money"
import type { PaymentUpdate } from "~/domain/payment"
import { GatewayError } from "~/gateways/gateway"
import { type CoinUnits, coinUnits, DECIMAL, partOf } from "./decimal"
import { awaitsMoney, invoiceStatuses, meaningOf } from "./status"

/** Invoices of ours among those that other software opens with the same account. Thirty-two characters in all. */
const OURS = "boxoffice-"

/** The same attempt has the same name there, so that opening it again is the same invoice. */
export function orderIdOf(attemptId: string): string {
  return `${OURS}${attemptId}`
}

/** The attempt that an order there was opened for; null where other software has opened it. */
export function attemptOf(orderId: string | null | undefined): string | null {
  return orderId?.startsWith(OURS) ? orderId.slice(OURS.length) : null
}

const CoinAmount = z.string().regex(DECIMAL, "is not an amount of a coin").transform(coinUnits)
const CoinName = z.string().min(1).max(64)

/** Becomes part of what is asked. */
export const InvoiceName = z.string().regex(/^\w[\w-]{0,99}$/, "is not an invoice's name")

type Wire = z.output<typeof WireInvoice>
const WireInvoice = z.object({
  uuid: InvoiceName,
  order_id: z.string().startsWith(OURS).max(128),
  amount: z.string().regex(/^\d{1,12}(\.\d{1,2}0*)?$/, "is not an amount of money"),
  currency: z.enum(currencies),
  status: z.enum(invoiceStatuses),
  is_final: z.boolean(),
  url: z.url({ protocol: /^https?$/ }).nullish(),
  expired_at: z.int().positive().nullish(),
  txid: z.string().max(200).nullish(),
  /** What is asked and what has come, in the coin; its name, its network and where it goes once it is chosen. */
  payer_amount: CoinAmount.nullish(),
  payment_amount: CoinAmount.nullish(),
  payment_amount_usd: CoinAmount.nullish(),
  payer_currency: CoinName.nullish(),
  network: CoinName.nullish(),
  /** Goes into a payment URI, so it cannot bring a query along. */
  address: z
    .string()
    .regex(/^[\w:+/=.-]{1,200}$/, "is not an address")
    .nullish(),
})

/** What is to be sent where, while the invoice still takes money. */
export type CoinBill = {
  readonly coin: Coin
  readonly address: string
  readonly asked: CoinUnits
  readonly seen: CoinUnits
  /** False: money may be on its way that is not counted in `seen` yet. */
  readonly awaitsMoney: boolean
  readonly expiresAt: Instant
}

/** An invoice as every answer and callback shows it, turned into ours in one step. */
export const CryptomusInvoice = WireInvoice.transform((wire, context) => {
  const price = fromDecimal(wire.amount, wire.currency)
  const { status, brings } = meaningOf(wire.status, wire.is_final)
  const cents = centsFor[brings](wire, price)
  if (!Number.isSafeInteger(cents) || (brings === "part" && cents >= price.minor)) {
    context.addIssue({ code: "custom", message: "has got what does not go with its status" })
    return z.NEVER
  }
  const received = money(cents, price.currency)
  return {
    paymentId: wire.uuid,
    url: wire.url ?? null,
    attemptId: wire.order_id.slice(OURS.length),
    ...{ price, status, received, isSumNamed: sumIsNamed(wire, brings) },
    transactionId: wire.txid || (received.minor > 0 ? wire.uuid : null),
    /** The same state of the same invoice has the same key, however it is learnt. */
    stateKey: `${wire.uuid}:${wire.status}:${toDecimal(received)}`,
    bill: billOf(wire),
    endsAt: typeof wire.expired_at === "number" ? wire.expired_at * SECOND : null,
    /** Less than the price has come, and no more is taken. */
    ended: brings === "part" && wire.is_final,
  }
})

export type CryptomusInvoice = z.output<typeof CryptomusInvoice>

/** Throws a `GatewayError` where money has come and the provider does not name the sum: it may be asked again. */
export function toPaymentUpdate({ stateKey, ...invoice }: CryptomusInvoice): PaymentUpdate {
  const { attemptId, status, received, transactionId, ended } = invoice
  if (!invoice.isSumNamed) {
    throw new GatewayError("unreadable", "cryptomus does not say how much of the price has come", {
      mayPass: true,
    })
  }
  return { eventKey: stateKey, attemptId, status, received, transactionId, ...(ended && { ended }) }
}

const centsFor: Record<ReturnType<typeof meaningOf>["brings"], (wire: Wire, price: Money) => number> = {
  nothing: () => 0,
  price: (_, { minor }) => minor,
  "price-or-more": (wire, { minor }) => Math.max(minor, sentInCurrency(wire)),
  // By the invoice's own quote, the only rate that the buyer was promised.
  part: ({ payment_amount, payer_amount }, { minor }) =>
    partOf(minor, payment_amount ?? 0n, payer_amount ?? 0n),
}

/** A part is known by what was asked in the coin and what came of it; callbacks leave out either at times. */
function sumIsNamed({ payment_amount, payer_amount }: Wire, brings: keyof typeof centsFor): boolean {
  return brings !== "part" || (payment_amount != null && payer_amount != null && payer_amount > 0n)
}

/** What was sent in cents, where the provider says it in the invoice's currency; 0 where it does not. */
function sentInCurrency({ currency, payer_currency, payment_amount, payment_amount_usd }: Wire): number {
  const sent = currency === "USD" ? payment_amount_usd : payer_currency === currency ? payment_amount : null
  return partOf(100, sent ?? 0n, coinUnits("1"))
}

function billOf(wire: Wire): CoinBill | null {
  const { payer_amount: asked, payer_currency: currency, network, address, expired_at } = wire
  if (wire.is_final || !asked || !currency || !network || !address || !expired_at) return null
  const coin = { currency, network: network.toLowerCase() }
  return {
    ...{ coin, address, asked, seen: wire.payment_amount ?? 0n, expiresAt: expired_at * SECOND },
    awaitsMoney: awaitsMoney(wire.status, wire.txid),
  }
}
