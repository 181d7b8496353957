import type { Logger } from "pino"
import type { BrandVersions, LatestBrand } from "~/billing/brand-versions"
import { brandContentOf, type ShopTexts, withBrandContent } from "~/config/brand-content.server"
import type { ConsoleBrand, ShopConfig } from "~/context/services.server"
import { savedBrand } from "~/domain/shop/shop-sections"
import { readEachSecond } from "./read-each-second.server"

/** The shop with brand and texts as the console has set them last, on whichever instance. */
export type FollowedBrand = {
  /** Its brand and texts change by themselves: whoever keeps a part keeps the former one. */
  readonly shop: ShopConfig
  readonly console: ConsoleBrand
  stop(): void
}

/**
 * Follows the versions of the console. Throws a `BillingError` if they cannot
 * be read at first; later the former texts stay while the database is away.
 */
export async function followBrand(
  versions: BrandVersions,
  { file, log }: { readonly file: ShopConfig; readonly log: Logger },
): Promise<FollowedBrand> {
  let known: LatestBrand = { version: 0, at: 0 }
  let texts: ShopTexts = file
  const refresh = async () => {
    const { version, at, content } = await versions.present()
    const saved = savedBrand(content)
    const refused = Object.keys(Object(content)).filter((name) => !Object.hasOwn(saved, name))
    if (refused.length > 0) log.warn({ version, sections: refused }, "brand sections refused")
    texts = version === 0 ? file : withBrandContent(file, saved)
    known = { version, at }
  }
  await refresh()
  const stop = readEachSecond(
    async () => {
      const { version, at } = await versions.latest()
      if (version !== known.version || at !== known.at) await refresh()
    },
    (error) => log.warn({ err: error }, "brand versions not read"),
  )
  return {
    shop: {
      ...file,
      // Operators change the rules of tax as well.
      get tax() {
        return file.tax
      },
      get brandVersion() {
        return known.version
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
      get apps() {
        return texts.apps
      },
      get setup() {
        return texts.setup
      },
      get legal() {
        return texts.legal
      },
      get documents() {
        return texts.documents
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
    stop,
  }
}
