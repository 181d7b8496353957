import { useContext } from "react"
import { BASE } from "~/domain/base-path"
import { defaultLocale, type Locale, locales, localPath } from "~/domain/locales"
import { manifestPath } from "~/domain/screen-paths"
import { DocumentContext, type PageDocument } from "./document"

type Head = {
  title: string
  description: string | null
  /** The page's path without locale prefix, if search engines may index it. */
  publicPath: string | null
  refreshSeconds: number | null
  /** The analytics script may run here. */
  counted: boolean
  shop: PageDocument["shop"]
  locale: Locale
}

/** Contents of the `head` element. */
export function DocumentHead({ publicPath, refreshSeconds, counted, ...page }: Head) {
  const { nonce, style, fonts, chunks } = useContext(DocumentContext)
  const { title, description, shop, locale } = page
  return (
    <>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{title}</title>
      {description && <meta name="description" content={description} />}
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
      {publicPath === null && <meta name="robots" content="noindex" />}
      {import.meta.env.SSR && publicPath !== null && <Shared {...page} path={publicPath} />}
      {publicPath !== null && counted && <AnalyticsTag />}
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

type SharedPage = Pick<Head, "title" | "description" | "shop" | "locale"> & { path: string }

/** Tags for search engines and shared links, which take no page from script: `hreflang` alternates and Open Graph. */
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

/** The operator's analytics script, if configured. Only the server renders it, on tracked pages alone. */
function AnalyticsTag() {
  const { analytics, nonce } = useContext(DocumentContext)
  if (!analytics) return null
  const data = Object.fromEntries(
    Object.entries(analytics.data).map(([name, value]) => [`data-${name}`, value]),
  )
  return <script async src={analytics.src} nonce={nonce} {...data} />
}
