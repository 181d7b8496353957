import type { Logger } from "pino"
import type { DocumentPolicy } from "~/billing/document-policy"
import type { TaxAdmin } from "~/billing/tax-admin"
import type { TaxPolicy } from "~/billing/tax-policy"
import type { Config } from "~/config/environment.server"
import { readShopFile } from "~/config/shop-file.server"
import { SECOND } from "~/domain/calendar"
import { taxRulesOf } from "~/domain/tax-file"

/** How the shop file says that orders are taxed. Undefined: an external billing does it. */
export function taxPolicyOf(config: Config): TaxPolicy | undefined {
  if (config.BILLING !== "embedded") return undefined
  const { tax: file } = readShopFile(config.SHOP_FILE)
  return { rules: file && taxRulesOf(file), timeZone: config.TIME_ZONE, file }
}

/**
 * Follows the rules of tax, which another instance may change, until stopped: they are in force everywhere within two seconds,
 * without a reading by requests.
 */
export function followTax(tax: Pick<TaxAdmin, "refresh">, log: Logger): () => void {
  let isLost = false
  async function read() {
    try {
      await tax.refresh()
      isLost = false
    } catch (error) {
      // While the database is away, once.
      if (!isLost) log.warn({ err: error }, "tax rules not read")
      isLost = true
    }
  }
  const timer = setInterval(read, SECOND).unref()
  return () => clearInterval(timer)
}

/** How the documents of taxed orders are issued, of those too that were placed before tax was switched off. */
export function documentPolicyOf(config: Config): DocumentPolicy {
  const { documents } = readShopFile(config.SHOP_FILE)
  return { ...documents, timeZone: config.TIME_ZONE }
}
