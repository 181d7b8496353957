import type { ReactNode } from "react"
import { Link } from "react-router"
import { BASE } from "~/domain/base-path"
import { localPath } from "~/domain/locales"
import { pathOf } from "~/domain/orders/screen-paths"
import type { Logo as OwnLogo } from "~/domain/shop/brand"
import type { Footer } from "~/domain/shop/legal"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { Logo } from "./icons"
import { LanguageMenu, type MenuForm } from "./language-menu"
import { OfflineBanner } from "./offline-banner"
import { SupportContext } from "./support-link"
import { usePageFocus } from "./use-page-focus"

type Frame = {
  shopName: string
  testMode: boolean
  /** Time of a sandbox whose clock was moved; null: the usual time. */
  shopTime?: string | null
  /** The operator's logo; default: the product's. */
  logo?: OwnLogo | null
  /** Path without locale prefix, with query, for the language menu; null for pages without a URL. */
  path: string | null
  query: string
  /** The form that a change of the language keeps. */
  form?: MenuForm | null | undefined
  /** Account menu. */
  account?: ReactNode
  /** Seller and links of the footer; none before the shop is known. */
  footer?: Footer
  /** The page sells plans, and the shop sells to resellers too. */
  hasResellerPlans?: boolean
  /** Links of a browser that knows the visitor, in the footer. */
  deviceLinks?: ReactNode
  /** A sign-in link invalidated the password of a sign-up. */
  passwordEnded?: boolean | undefined
  children: ReactNode
}

/** Page layout: logo, language menu, test mode notice, content and footer. */
export function PageLayout({
  shopName,
  testMode,
  shopTime,
  logo,
  path,
  query,
  form,
  account,
  passwordEnded,
  footer,
  hasResellerPlans,
  deviceLinks,
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
              {path !== null && <LanguageMenu path={path} query={query} form={form} />}
              {account}
            </div>
          </div>
        </div>
        {testMode && (
          <p className="test-mode">
            {t("frame.testMode")}
            {shopTime && ` ${t("frame.shopTime", { time: shopTime })}`}
          </p>
        )}
      </header>
      <OfflineBanner />
      <main id="main" className="wide" tabIndex={-1}>
        {path !== null && passwordEnded && (
          <p className="notice" role="status">
            {t("password.ended")}
          </p>
        )}
        <SupportContext value={supportIn(footer)}>{children}</SupportContext>
      </main>
      <PageFooter
        shopName={shopName}
        footer={footer}
        hasResellerPlans={hasResellerPlans}
        deviceLinks={deviceLinks}
      />
    </>
  )
}

const supportIn = (footer?: Footer) => footer?.links.find(({ page }) => page === "support")?.href ?? null

type PageFooterProps = Pick<Frame, "shopName" | "footer" | "hasResellerPlans" | "deviceLinks">

/** Who sells, and the operator's pages. */
export function PageFooter({ shopName, footer, hasResellerPlans, deviceLinks }: PageFooterProps) {
  const { t } = useTranslation()
  const locale = useLocale()
  return (
    <footer className="bottom wide">
      <span>
        {footer?.seller
          ? t("frame.soldBy", { seller: footer.seller })
          : t("frame.footer", { shop: shopName })}
      </span>
      {footer?.links.map(({ page, href }) => (
        <a key={page} href={href}>
          {t(`frame.${page}`)}
        </a>
      ))}
      {hasResellerPlans && (
        <Link to={localPath(locale, pathOf.reseller.checkout)}>{t("frame.resellers")}</Link>
      )}
      {deviceLinks}
    </footer>
  )
}

/** The surrounding link has the shop's name. */
export function OwnMark({ logo: { path, width, height, isForDark } }: { logo: OwnLogo }) {
  return (
    <img
      className={isForDark ? undefined : "plate"}
      src={`${BASE}${path}`}
      width={width}
      height={height}
      alt=""
    />
  )
}
