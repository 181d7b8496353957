import type { ReactNode } from "react"
import { Link } from "react-router"
import { useTranslation } from "~/locales/use-translation"
import { Logo } from "./icons"
import { LanguageMenu } from "./language-menu"
import { localPath, useLocale } from "./use-locale"

type Frame = {
  shopName: string
  testMode: boolean
  /** The page's path without its language, and its query, both kept when the language changes. */
  path: string
  query: string
  /** Signing in or out. */
  account?: ReactNode
  children: ReactNode
}

/** What is around every page: logo, languages, the word that no money moves, and the page itself. */
export function PageFrame({ shopName, testMode, path, query, account, children }: Frame) {
  const { t } = useTranslation()
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
              <Logo />
              {shopName}
            </Link>
            <div className="top-end">
              <LanguageMenu path={path} query={query} />
              {account}
            </div>
          </div>
        </div>
        {testMode && <p className="test-mode">{t("frame.testMode")}</p>}
      </header>
      <main id="main" className="wide" tabIndex={-1}>
        {children}
      </main>
      <footer className="bottom wide">{t("frame.footer", { shop: shopName })}</footer>
    </>
  )
}
