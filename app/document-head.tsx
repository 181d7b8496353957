import { useContext } from "react"
import { DocumentContext, type ShownShop } from "./document"
import { BASE } from "./domain/base-path"
import { defaultLocale, locales } from "./domain/locales"

type Head = {
  title: string
  themeColours: ShownShop["themeColours"]
  /** The page's path without language, when search engines may show it. */
  publicPath: string | null
  refreshSeconds: number | null
}

/** Everything between `<head>` and `</head>`. */
export function DocumentHead({ title, themeColours, publicPath, refreshSeconds }: Head) {
  const { nonce, style, fonts, chunks } = useContext(DocumentContext)
  return (
    <>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{title}</title>
      <meta name="theme-color" content={themeColours.dark} media="(prefers-color-scheme: dark)" />
      <meta name="theme-color" content={themeColours.light} />
      <link rel="icon" href={`${BASE}/favicon.svg`} type="image/svg+xml" />
      {fonts.map((font) => (
        <link key={font} rel="preload" href={font} as="font" type="font/woff2" crossOrigin="anonymous" />
      ))}
      {chunks.map((chunk) => (
        <link key={chunk} rel="modulepreload" href={chunk} nonce={nonce} />
      ))}
      {publicPath === null ? <meta name="robots" content="noindex" /> : <Alternates path={publicPath} />}
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

/** The same page in every language, for search engines (reference: locales, section 3). */
function Alternates({ path }: { path: string }) {
  const { publicUrl } = useContext(DocumentContext)
  const at = (prefix: string) => `${publicUrl}${BASE}${prefix}${path === "/" && prefix ? "" : path}`
  return (
    <>
      {locales.map(({ iso, prefix }) => (
        <link key={iso} rel="alternate" hrefLang={iso} href={at(prefix)} suppressHydrationWarning />
      ))}
      <link rel="alternate" hrefLang="x-default" href={at(defaultLocale.prefix)} suppressHydrationWarning />
    </>
  )
}
