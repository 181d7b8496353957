import { localPath } from "~/domain/locales"
import { pathOf, upsellPath } from "~/domain/orders/screen-paths"
import type { Brand, Logo } from "~/domain/shop/brand"
import { detectLocale } from "~/i18n/detect-locale.server"
import { loadI18n } from "~/i18n/load-i18n.server"
import { pathIn, renderErrorPage } from "./fallback-error-page.server"
import { cachedPage } from "./page-cache.server"

type OverloadPageProps = {
  request: Request
  brand: Brand
  logo: Logo | null
  brandVersion: number
  nonce: string
}

const screens: readonly string[] = [
  ...Object.values(pathOf.viewer),
  ...Object.values(pathOf.reseller),
  upsellPath,
]

/**
 * The 503 page under overload, cached by screen and locale, and the same message as plain text for clients that do not
 * accept HTML.
 */
export async function overloadPage({ request, brand, logo, brandVersion, nonce }: OverloadPageProps) {
  const locale = await detectLocale(request)
  const { i18n } = await loadI18n(locale)
  const path = pathIn(request)
  const known = screens.includes(path.slice(locale.prefix.length) || "/")
  const retryPath = known ? path : localPath(locale, "/")
  const render = ({ nonce }: { nonce: string }) =>
    renderErrorPage({ kind: "crowded", requestId: null, brand, logo, nonce, locale, i18n, retryPath })
  return {
    plain: `${i18n.t("error.crowded")}\n`,
    page: cachedPage({
      cacheScope: "shared",
      url: `crowded ${brandVersion} ${locale.code} ${retryPath}`,
      hydrationScript: "",
      style: null,
      own: { nonce, email: null },
      render,
    }),
  }
}
