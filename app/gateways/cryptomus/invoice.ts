import { z } from "zod"
import { type Instant, SECOND } from "~/domain/calendar"
import { type Decimal, parseDecimal, partOf } from "~/domain/money/decimal"
import { fromDecimal, type Money, money, toDecimal } from "~/domain/money/money"
import type { Coin } from "~/domain/payments/coin"
import { coinReferences } from "~/domain/payments/coin-reference"
import type { PaymentUpdate } from "~/domain/payments/payment"
import { Currency, exactDecimal, MoneyText, PageUrl, resourceId } from "~/gateways/fields"
import { GatewayError } from "~/gateways/gateway"
import { awaitsMoney, type InvoiceStatus, invoiceStatuses, isCoinChoice, meaningOf } from "./status"

/**
 * Prefix that distinguishes the shop's order ids from other software's on the account; 32 characters with the attempt
 * id.
 */
const OURS = "boxoffice-"

/**
 * The provider's `order_id` for an attempt. It is deterministic, so creating the invoice again returns the same one.
 */
export function orderIdOf(attemptId: string): string {
  return `${OURS}${attemptId}`
}

/** Extracts the attempt id from an `order_id`; null when the invoice belongs to other software. */
export function attemptOf(orderId: string | null | undefined): string | null {
  return orderId?.startsWith(OURS) ? orderId.slice(OURS.length) : null
}

const Named = z.object({ order_id: z.string().max(128) })

/** Source of a payload, for messages about a malformed one. */
export const source = (kind: "callback" | "response") => ({
  name: `Cryptomus ${kind}`,
  attemptOf: (value: unknown) => attemptOf(Named.safeParse(value).data?.order_id),
})

const CoinAmount = exactDecimal({ whole: 18, places: 18 })
const CoinName = z.string().min(1).max(64)

export const InvoiceName = resourceId("an invoice id")

type Wire = z.output<typeof WireInvoice>
const WireInvoice = z.object({
  uuid: InvoiceName,
  order_id: z.string().startsWith(OURS).max(128),
  amount: MoneyText,
  currency: Currency,
  status: z.enum(invoiceStatuses),
  is_final: z.boolean(),
  url: PageUrl.nullish(),
  expired_at: z.int().positive().nullish(),
  txid: z.string().max(200).nullish(),
  /** Requested and received amount in the coin. Coin, network and address are set once a coin is chosen. */
  payer_amount: CoinAmount.nullish(),
  payment_amount: CoinAmount.nullish(),
  payment_amount_usd: CoinAmount.nullish(),
  payer_currency: CoinName.nullish(),
  network: CoinName.nullish(),
  /** Becomes part of a payment URI, so it cannot contain a query. */
  address: z
    .string()
    .regex(/^[\w:+/=.-]{1,200}$/, "must be a coin address")
    .nullish(),
})

/** Payment instructions of an invoice that still accepts money. */
export type CoinBill = {
  readonly coin: Coin
  readonly address: string
  readonly requested: Decimal
  readonly seen: Decimal
  /** False: a transfer may be in progress that `seen` does not include yet. */
  readonly awaitsMoney: boolean
  readonly expiresAt: Instant
}

/** Parses an invoice from API responses and callbacks. */
export const CryptomusInvoice = WireInvoice.transform((wire, context) => {
  const price = fromDecimal(wire.amount, wire.currency)
  const known = stateOf(wire)
  const { status, brings } = meaningOf(known, wire.is_final)
  const cents = centsFor[brings](wire, price)
  if (!Number.isSafeInteger(cents) || (brings === "part" && cents >= price.minor)) {
    context.addIssue({ code: "custom", message: "has a received amount that contradicts its status" })
    return z.NEVER
  }
  const received = money(cents, price.currency)
  return {
    paymentId: wire.uuid,
    url: wire.url ?? null,
    attemptId: wire.order_id.slice(OURS.length),
    price,
    status,
    received,
    isSumNamed: sumIsNamed(wire, brings),
    transactionId: wire.txid || (received.minor > 0 ? wire.uuid : null),
    /** Deterministic per invoice state: a callback and a poll of the same state are duplicates. */
    stateKey: `${wire.uuid}:${known}:${toDecimal(received)}`,
    coinReferences: coinReferences([wire.address], [wire.txid]),
    bill: billOf(wire),
    endsAt: typeof wire.expired_at === "number" ? wire.expired_at * SECOND : null,
    /** Underpaid, and the invoice accepts no more money. */
    ended: brings === "part" && wire.is_final,
  }
})

export type CryptomusInvoice = z.output<typeof CryptomusInvoice>

/**
 * Throws `GatewayError` (`unreadable`, retryable) when a part was received but the provider does not report the amount.
 */
export function toPaymentUpdate({ stateKey, ...invoice }: CryptomusInvoice): PaymentUpdate {
  const { attemptId, status, received, transactionId, ended, coinReferences: references } = invoice
  if (!invoice.isSumNamed) {
    throw new GatewayError("unreadable", "Invalid Cryptomus invoice: received amount is missing", {
      isTransient: true,
    })
  }
  return {
    eventKey: stateKey,
    attemptId,
    status,
    received,
    transactionId,
    ...(ended && { ended }),
    coinReferences: references,
  }
}

/** An invoice with a chosen coin for which nothing was sent is one that waits: the buyer may leave it, or has yet to pay it. */
function stateOf({ status, txid, payment_amount }: Wire): InvoiceStatus {
  return isCoinChoice(status, txid) && !payment_amount ? "check" : status
}

const centsFor: Record<ReturnType<typeof meaningOf>["brings"], (wire: Wire, price: Money) => number> = {
  nothing: () => 0,
  price: (_, { minor }) => minor,
  "price-or-more": (wire, { minor }) => Math.max(minor, sentInCurrency(wire)),
  // At the invoice's own quote, the only rate the buyer was promised.
  part: ({ payment_amount, payer_amount }, { minor }) =>
    partOf(minor, payment_amount ?? 0n, payer_amount ?? 0n),
}

/** A partial amount needs the requested and the received coin amount; callbacks sometimes omit one of them. */
function sumIsNamed({ payment_amount, payer_amount }: Wire, brings: keyof typeof centsFor): boolean {
  return brings !== "part" || (payment_amount != null && payer_amount != null && payer_amount > 0n)
}

/** Amount sent in cents, if the provider reports it in the invoice's currency; otherwise 0. */
function sentInCurrency({ currency, payer_currency, payment_amount, payment_amount_usd }: Wire): number {
  const inCoin = payer_currency === currency ? payment_amount : null
  const sent = currency === "USD" ? payment_amount_usd : inCoin
  return partOf(100, sent ?? 0n, parseDecimal("1"))
}

function billOf(wire: Wire): CoinBill | null {
  const { payer_amount: requested, payer_currency: currency, network, address, expired_at } = wire
  if (wire.is_final || !requested || !currency || !network || !address || !expired_at) return null
  const coin = { currency, network: network.toLowerCase() }
  return {
    coin,
    address,
    requested,
    seen: wire.payment_amount ?? 0n,
    expiresAt: expired_at * SECOND,
    awaitsMoney: awaitsMoney(wire.status, wire.txid),
  }
}
