import { renderToStaticMarkup } from "react-dom/server"
import { BASE } from "~/domain/base-path"
import type { ErrorKind } from "~/domain/error-kind"
import { type Locale, localPath } from "~/domain/locales"
import { type Brand, type Logo as OwnLogo, titleIn } from "~/domain/shop/brand"
import { detectLocale } from "~/i18n/detect-locale.server"
import type { I18n } from "~/i18n/i18n"
import { loadI18n } from "~/i18n/load-i18n.server"
import { I18nContext } from "~/i18n/use-translation"
import { ErrorPage } from "~/ui/interstitials/error-page"
import { Logo } from "~/ui/layout/icons"
import { OwnMark } from "~/ui/layout/page-layout"
import { StandaloneHead } from "~/ui/layout/standalone-head.server"
import { stylesFor } from "~/ui/style/style.server"

type Wordless = {
  kind: ErrorKind
  brand: Brand
  /** The operator's logo; null: the product's. */
  logo: OwnLogo | null
  nonce: string
  requestId: string | null
}

/**
 * Error page without a route: for URLs outside the base path, and for an error page that failed to render. Depends on
 * translations and styles only.
 */
export async function fallbackErrorPage({
  request,
  ...what
}: Wordless & { request: Request }): Promise<string> {
  const locale = await detectLocale(request)
  const { i18n } = await loadI18n(locale)
  return renderErrorPage({ ...what, locale, i18n, retryPath: pathIn(request) })
}

type ErrorPageContent = Wordless & { locale: Locale; i18n: I18n; retryPath: string }

/** `retryPath`: path below the base path that the "try again" link leads to. */
export function renderErrorPage({
  kind,
  brand,
  logo,
  nonce,
  requestId,
  locale,
  i18n,
  retryPath,
}: ErrorPageContent): string {
  const title = i18n.t(kind === "not-found" ? "title.notFound" : "title.error")
  const home = localPath(locale, "/")
  return `<!doctype html>${renderToStaticMarkup(
    <I18nContext value={i18n}>
      <html lang={locale.iso}>
        <StandaloneHead
          title={`${title} · ${titleIn(brand, locale.code)}`}
          nonce={nonce}
          style={stylesFor(brand.colours).style}
        />
        <body>
          <header className="top">
            <div className="wide">
              <a
                className="brand"
                href={`${BASE}${home}`}
                aria-label={i18n.t("frame.home", { shop: brand.name })}
              >
                {logo ? <OwnMark logo={logo} /> : <Logo />}
                {(logo?.withName ?? true) && brand.name}
              </a>
            </div>
          </header>
          <main className="wide">
            <ErrorPage kind={kind} homePath={home} retryPath={retryPath} requestId={requestId} />
          </main>
        </body>
      </html>
    </I18nContext>,
  )}`
}

/** The path below the base path; "/" for URLs outside of it. */
export function pathIn({ url }: Request): string {
  const { pathname } = new URL(url)
  return pathname.startsWith(`${BASE}/`) ? pathname.slice(BASE.length) : "/"
}
