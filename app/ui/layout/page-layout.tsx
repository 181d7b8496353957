import type { ReactNode } from "react"
import { Link } from "react-router"
import { BASE } from "~/domain/base-path"
import { localPath } from "~/domain/locales"
import type { Logo as OwnLogo } from "~/domain/shop/brand"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { Logo } from "./icons"
import { LanguageMenu } from "./language-menu"
import { OfflineBanner } from "./offline-banner"
import { usePageFocus } from "./use-page-focus"

type Frame = {
  shopName: string
  testMode: boolean
  /** The operator's own; ours without it. */
  logo?: OwnLogo | null
  /** The page's path without its language, and its query, both kept when the language changes; null: it has no address of its own. */
  path: string | null
  query: string
  /** Signing in or out. */
  account?: ReactNode
  /** What stands at the end of the page besides the shop's own line. */
  footer?: ReactNode
  /** A link has ended the password that was chosen at sign-up. */
  passwordEnded?: boolean | undefined
  children: ReactNode
}

/** What is around every page: logo, languages, the word that no money moves, and the page itself. */
export function PageLayout({
  shopName,
  testMode,
  logo,
  path,
  query,
  account,
  passwordEnded,
  footer,
  children,
}: Frame) {
  const { t } = useTranslation()
  usePageFocus()
  return (
    <>
      <a className="skip" href="#main">
        {t("frame.skip")}
      </a>
      <header>
        <div className="top">
          <div className="wide">
            <Link
              className="brand"
              to={localPath(useLocale(), "/")}
              aria-label={t("frame.home", { shop: shopName })}
            >
              {logo ? <OwnMark logo={logo} /> : <Logo />}
              {(logo?.withName ?? true) && shopName}
            </Link>
            <div className="top-end">
              {path !== null && <LanguageMenu path={path} query={query} />}
              {account}
            </div>
          </div>
        </div>
        {testMode && <p className="test-mode">{t("frame.testMode")}</p>}
      </header>
      <OfflineBanner />
      <main id="main" className="wide" tabIndex={-1}>
        {path !== null && passwordEnded && (
          <p className="told" role="status">
            {t("password.ended")}
          </p>
        )}
        {children}
      </main>
      <footer className="bottom wide">
        <span>{t("frame.footer", { shop: shopName })}</span>
        {footer}
      </footer>
    </>
  )
}

/** The link around it has the shop's name. */
function OwnMark({ logo: { path, width, height } }: { logo: OwnLogo }) {
  return <img src={`${BASE}${path}`} width={width} height={height} alt="" />
}
