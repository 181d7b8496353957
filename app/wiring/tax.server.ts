import type { Logger } from "pino"
import type { DocumentPolicy } from "~/billing/documents/document-policy"
import type { TaxAdmin } from "~/billing/tax-admin"
import type { TaxPolicy } from "~/billing/tax-policy"
import type { ShopTexts } from "~/config/brand-content.server"
import type { Config } from "~/config/environment.server"
import { readShopFile } from "~/config/shop-file.server"
import { taxRulesOf } from "~/domain/tax/tax-file"
import { readEachSecond } from "./read-each-second.server"

/** How the shop file says that orders are taxed. Undefined: an external billing does it. */
export function taxPolicyOf(config: Config): TaxPolicy | undefined {
  if (config.BILLING !== "embedded") return undefined
  const { tax: file } = readShopFile(config.SHOP_FILE)
  return { rules: file && taxRulesOf(file), timeZone: config.TIME_ZONE, file }
}

/** Follows the rules of tax, which another instance may change, until stopped. */
export function followTax(tax: Pick<TaxAdmin, "refresh">, log: Logger): () => void {
  return readEachSecond(
    () => tax.refresh(),
    (error) => log.warn({ err: error }, "tax rules not read"),
  )
}

export type SellerTexts = Pick<ShopTexts, "documents" | "legal">

/**
 * How the documents of taxed orders are issued, of those too that were placed before tax was switched off. `present`: the texts that
 * hold, since operators change the seller while the shop runs.
 */
export function documentPolicyOf(config: Config, present: () => SellerTexts): DocumentPolicy {
  const { prefixes } = readShopFile(config.SHOP_FILE).documents
  return {
    prefixes,
    timeZone: config.TIME_ZONE,
    get seller() {
      const { documents, legal } = present()
      return { ...documents.seller, name: documents.seller.name ?? legal.seller }
    },
  }
}
