import type { TaxPolicy } from "~/billing/tax-policy"
import type { Config } from "~/config/environment.server"
import { readShopFile } from "~/config/shop-file.server"

/** The rules for tax in the shop file. Undefined: nothing is taxed, or an external billing does it. */
export function taxPolicyOf(config: Config): TaxPolicy | undefined {
  if (config.BILLING !== "embedded") return undefined
  const { tax } = readShopFile(config.SHOP_FILE)
  return tax ? { rules: tax, timeZone: config.TIME_ZONE } : undefined
}
