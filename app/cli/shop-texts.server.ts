import type { EmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import { type ShopTexts, withBrandContent } from "~/config/brand-content.server"
import type { Config } from "~/config/environment.server"
import { readShopFile } from "~/config/shop-file.server"
import { type BrandContent, savedBrand } from "~/domain/shop/shop-sections"

type Shop = { readonly billing: Pick<EmbeddedBilling, "brand">; readonly config: Config }

/** The brand and texts that hold: the console's, in place of the shop file's. Throws if the file is invalid. */
export async function shopTexts({ billing, config }: Shop): Promise<ShopTexts> {
  const { content } = await billing.brand.present()
  return textsWith(config, savedBrand(content))
}

/** Brand and texts with content of the console in place of the shop file's sections. */
export function textsWith(config: Config, content: BrandContent): ShopTexts {
  const { brand, ...file } = readShopFile(config.SHOP_FILE)
  return withBrandContent({ ...file, brand: { ...brand, name: config.SHOP_NAME ?? brand.name } }, content)
}
