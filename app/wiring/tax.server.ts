import type { DocumentPolicy } from "~/billing/document-policy"
import type { TaxPolicy } from "~/billing/tax-policy"
import type { Config } from "~/config/environment.server"
import { readShopFile } from "~/config/shop-file.server"

/** The rules for tax in the shop file. Undefined: nothing is taxed, or an external billing does it. */
export function taxPolicyOf(config: Config): TaxPolicy | undefined {
  if (config.BILLING !== "embedded") return undefined
  const { tax } = readShopFile(config.SHOP_FILE)
  return tax ? { rules: tax, timeZone: config.TIME_ZONE } : undefined
}

/** How the documents of taxed orders are issued, of those too that were placed before tax was switched off. */
export function documentPolicyOf(config: Config): DocumentPolicy {
  const { documents } = readShopFile(config.SHOP_FILE)
  return { ...documents, timeZone: config.TIME_ZONE }
}
