import { type ReactNode, useContext } from "react"
import { useLocation } from "react-router"
import { BASE } from "~/domain/base-path"
import { defaultLocale, type Locale, locales, localPath } from "~/domain/locales"
import { manifestPath } from "~/domain/orders/screen-paths"
import { isTracked } from "~/domain/shop/analytics"
import { useTranslation } from "~/i18n/use-translation"
import { DocumentContext, type PageDocument, type PageHandle } from "./document"

type Head = {
  title: string
  refreshSeconds: number | null
  shop: PageDocument["shop"]
  locale: Locale
  /** What no browser reads. */
  children: ReactNode
}

/** Contents of the `head` element. */
export function DocumentHead({ title, refreshSeconds, shop, locale, children }: Head) {
  const { nonce, style, fonts, chunks } = useContext(DocumentContext)
  return (
    <>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{title}</title>
      <meta name="theme-color" content={shop.themeColours.dark} media="(prefers-color-scheme: dark)" />
      <meta name="theme-color" content={shop.themeColours.light} />
      <link rel="icon" href={`${BASE}/favicon.svg`} type="image/svg+xml" />
      <link rel="apple-touch-icon" href={`${BASE}/apple-touch-icon.png`} />
      <link rel="manifest" href={`${BASE}${localPath(locale, manifestPath)}`} />
      {fonts.map((font) => (
        <link key={font} rel="preload" href={font} as="font" type="font/woff2" crossOrigin="anonymous" />
      ))}
      {chunks.map((chunk) => (
        <link key={chunk} rel="modulepreload" href={chunk} nonce={nonce} />
      ))}
      {children}
      {refreshSeconds !== null && (
        <noscript>
          <meta httpEquiv="refresh" content={String(refreshSeconds)} />
        </noscript>
      )}
      <style
        nonce={nonce}
        suppressHydrationWarning
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the shop's own style sheet
        dangerouslySetInnerHTML={{ __html: style }}
      />
    </>
  )
}

type SearchPage = Pick<Head, "title" | "shop" | "locale"> & { handle: PageHandle }

/**
 * Tags for search engines and shared links, and the analytics script. Only the server renders them, and React leaves in the head what
 * it does not know: nobody reads them on a page to which script has led.
 */
export function SearchTags({ handle, ...page }: SearchPage) {
  const { t } = useTranslation()
  const { pathname, search } = useLocation()
  if (!handle.public) return <meta name="robots" content="noindex" />
  const description = handle.description ? t(handle.description) : null
  const counted = page.shop.account === null && isTracked({ pathname: `${BASE}${pathname}`, search })
  return (
    <>
      {description && <meta name="description" content={description} />}
      <Shared {...page} description={description} path={pathname.slice(page.locale.prefix.length) || "/"} />
      {counted && <AnalyticsTag />}
    </>
  )
}

type SharedPage = Pick<Head, "title" | "shop" | "locale"> & { description: string | null; path: string }

/** `hreflang` alternates and Open Graph. */
function Shared({ title, description, path, shop, locale }: SharedPage) {
  const at = (it: Locale) => `${shop.publicUrl}${BASE}${localPath(it, path)}`
  return (
    <>
      {locales.map((it) => (
        <link key={it.iso} rel="alternate" hrefLang={it.iso} href={at(it)} />
      ))}
      <link rel="alternate" hrefLang="x-default" href={at(defaultLocale)} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={shop.name} />
      <meta property="og:title" content={title} />
      {description && <meta property="og:description" content={description} />}
      <meta property="og:url" content={at(locale)} />
      <meta
        property="og:locale"
        content={locale === defaultLocale ? "en_US" : locale.iso.replace("-", "_")}
      />
      <meta property="og:image" content={`${shop.publicUrl}${BASE}/og.png`} />
    </>
  )
}

/** The operator's analytics script, if configured, on tracked pages alone. */
function AnalyticsTag() {
  const { analytics, nonce } = useContext(DocumentContext)
  if (!analytics) return null
  const data = Object.fromEntries(
    Object.entries(analytics.data).map(([name, value]) => [`data-${name}`, value]),
  )
  return <script async src={analytics.src} nonce={nonce} {...data} />
}
