import { z } from "zod"
import type { Coin, Transfer } from "~/domain/coin"
import { coinDecimal } from "./decimal"
import type { CoinBill } from "./invoice"
import { paymentUri } from "./payment-uri"

const Service = z.object({
  network: z.string().min(1).max(64),
  currency: z.string().min(1).max(64),
  is_available: z.boolean(),
  /** Only Heleket says whether the shop has switched it on. */
  is_enabled: z.boolean().nullish(),
})

/**
 * What can be paid in, from the list of services. There networks are in capitals ("TRON"), in invoices in small
 * letters ("tron"): here they are always as in invoices, so that the same coin has one name.
 */
export const CryptomusCoins = z
  .array(Service)
  .transform((services): readonly Coin[] =>
    services
      .filter(({ is_available, is_enabled }) => is_available && is_enabled !== false)
      .map(({ currency, network }) => ({ currency, network: network.toLowerCase() })),
  )

/** How an open invoice is paid on our own page. */
export function transferOf({ coin, address, asked, seen, awaitsMoney, expiresAt }: CoinBill): Transfer {
  // Asking again for what is on its way would have it sent twice.
  const left = (seen > 0n || awaitsMoney) && asked > seen ? asked - seen : 0n
  const amount = coinDecimal(left)
  return {
    ...{ coin, amount, address, uri: paymentUri({ coin, address, amount }), expiresAt },
    seen: coinDecimal(seen),
    confirmations: null,
  }
}
