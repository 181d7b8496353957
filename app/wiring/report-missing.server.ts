import type { Logger } from "pino"
import type { Currency } from "~/domain/money/money"
import type { Mailer } from "~/mail/mailer"

type Settings = {
  readonly mailer: Mailer | null
  readonly support: string | null
  /** Places of fields of the shop file that nothing reads. */
  readonly unknownFields: readonly string[]
  /** An enabled gateway is not drained. */
  readonly isAnyOffered: boolean
  /** Currencies of the catalogue that have no exchange rate today. */
  readonly currenciesWithoutRate: readonly Currency[]
}

/**
 * Warns at the start of what the pages leave out: without a mail server messages, without a contact the way to support, what the
 * shop file has under a name that nothing reads, all payment methods while every gateway is drained, and what invoices leave out for want of
 * an exchange rate.
 */
export function reportMissing(
  { mailer, support, unknownFields, isAnyOffered, currenciesWithoutRate }: Settings,
  log: Pick<Logger, "warn">,
): void {
  if (mailer === null) log.warn({ variable: "SMTP_URL" }, "mail server not configured")
  if (support === null) log.warn({ variable: "SHOP_FILE" }, "support contact not configured")
  if (unknownFields.length > 0)
    log.warn({ variable: "SHOP_FILE", fields: unknownFields }, "shop file has unknown fields")
  if (!isAnyOffered) log.warn({ variable: "GATEWAYS" }, "no gateway offered: all are drained")
  if (currenciesWithoutRate.length > 0)
    log.warn({ currencies: currenciesWithoutRate }, "no exchange rate for today")
}
