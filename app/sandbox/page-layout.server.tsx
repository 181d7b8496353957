import type { ReactNode } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import type { Locale } from "~/domain/locales"
import { payStyle } from "./payment-page-style.server"
import { translationByLocale } from "./translations/translations"

/** Renders a complete HTML page with the provider's name and the test mode notice. */
export function framed(
  { locale, provider }: { locale: Locale; provider: string },
  title: string,
  content: ReactNode,
): string {
  return `<!doctype html>${renderToStaticMarkup(
    <html lang={locale.iso}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · ${provider}`}</title>
        <style>{payStyle}</style>
      </head>
      <body>
        <header>
          <p className="name">
            <Waves />
            {provider}
          </p>
          <p className="test">{translationByLocale[locale.iso].testMode}</p>
        </header>
        <main>{content}</main>
      </body>
    </html>,
  )}`
}

function Waves() {
  return (
    <svg width="28" height="28" viewBox="0 0 28 28" fill="none" stroke="currentColor" aria-hidden="true">
      <path
        strokeWidth="2.5"
        strokeLinecap="round"
        d="M3 9q5.5-6 11 0t11 0M3 15q5.5-6 11 0t11 0M3 21q5.5-6 11 0t11 0"
      />
    </svg>
  )
}
