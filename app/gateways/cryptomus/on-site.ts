import { z } from "zod"
import { formatDecimal } from "~/domain/money/decimal"
import type { Coin, Transfer } from "~/domain/payments/coin"
import type { CoinBill } from "./invoice"
import { paymentUri } from "./payment-uri"

const Service = z.object({
  network: z.string().min(1).max(64),
  currency: z.string().min(1).max(64),
  is_available: z.boolean(),
  /** Whether the merchant has enabled the coin; only Heleket reports it. */
  is_enabled: z.boolean().nullish(),
})

/**
 * Parses the available coins from the list of services. The list has networks in upper case ("TRON"), invoices in lower
 * case ("tron"); the result always uses lower case.
 */
export const CryptomusCoins = z
  .array(Service)
  .transform((services): readonly Coin[] =>
    services
      .filter(({ is_available, is_enabled }) => is_available && is_enabled !== false)
      .map(({ currency, network }) => ({ currency, network: network.toLowerCase() })),
  )

/** Transfer details of an open invoice, for the shop's own payment page. */
export function transferOf({ coin, address, requested, seen, awaitsMoney, expiresAt }: CoinBill): Transfer {
  // Requesting an amount that is already in transfer would make the buyer pay twice.
  const left = (seen > 0n || awaitsMoney) && requested > seen ? requested - seen : 0n
  const amount = formatDecimal(left)
  return {
    coin,
    amount,
    address,
    uri: paymentUri({ coin, address, amount }),
    expiresAt,
    seen: formatDecimal(seen),
    confirmations: null,
  }
}
