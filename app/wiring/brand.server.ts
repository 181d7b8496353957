import type { Logger } from "pino"
import type { BrandVersions } from "~/billing/brand-versions"
import { brandContentOf, type ShopTexts, withBrandContent } from "~/config/brand-content.server"
import type { ConsoleBrand, ShopConfig } from "~/context/services.server"
import { SECOND } from "~/domain/calendar"
import { savedBrand } from "~/domain/shop/shop-sections"

/** The shop with brand and texts as the console has set them last, on whichever instance. */
export type FollowedBrand = {
  /** Its brand and texts change by themselves: whoever keeps a part keeps the former one. */
  readonly shop: ShopConfig
  readonly console: ConsoleBrand
  stop(): void
}

/**
 * Follows the versions of the console, which are asked for each second and not by requests. Throws a `BillingError` if they cannot
 * be read at first; later the former texts stay while the database is away.
 */
export async function followBrand(
  versions: BrandVersions,
  { file, log }: { readonly file: ShopConfig; readonly log: Logger },
): Promise<FollowedBrand> {
  let number = 0
  let texts: ShopTexts = file
  const refresh = async () => {
    const { version, content } = await versions.present()
    texts = version === 0 ? file : withBrandContent(file, savedBrand(content))
    number = version
  }
  await refresh()
  const timer = setInterval(async () => {
    try {
      if ((await versions.latest()) !== number) await refresh()
    } catch (error) {
      log.warn({ err: error }, "brand versions not read")
    }
  }, SECOND).unref()
  return {
    shop: {
      ...file,
      // Operators change the rules of tax as well.
      get tax() {
        return file.tax
      },
      get brandVersion() {
        return number
      },
      get brand() {
        return texts.brand
      },
      get logo() {
        return texts.logo
      },
      get links() {
        return texts.links
      },
      get legal() {
        return texts.legal
      },
      get methods() {
        return texts.methods
      },
      get mail() {
        return texts.mail
      },
    },
    console: {
      versions,
      shopWith: (content) => withBrandContent(file, content),
      contentWith: (content) => brandContentOf(withBrandContent(file, content)),
      refresh,
    },
    stop: () => clearInterval(timer),
  }
}
