import type { ReactNode } from "react"
import type { Logo } from "~/domain/shop/brand"
import type { Footer } from "~/domain/shop/legal"
import { consoleText as t } from "~/i18n/console-texts.server"
import { Logo as ProductMark } from "~/ui/layout/icons"
import { OwnMark, PageFooter } from "~/ui/layout/page-layout"

type BannerProps = {
  /** Address of the form, with what was typed. */
  back: string
  locale: string
  locales: readonly { readonly text: string; readonly href: string }[]
  view: "checkout" | "mail"
  views: readonly { readonly view: "checkout" | "mail"; readonly href: string }[]
}

/** Says that nothing is saved, and chooses the language, and the page or the message. */
export function BrandPreviewBanner({ back, locale, locales, view, views }: BannerProps) {
  return (
    <header className="as-customer">
      <p>{t("brand.previewBanner")}</p>
      {views.map((it) => (
        <a key={it.view} href={it.href} aria-current={it.view === view ? "true" : undefined}>
          {t(`brand.views.${it.view}`)}
        </a>
      ))}
      {locales.map(({ text, href }) => (
        <a key={text} href={href} aria-current={text === locale ? "true" : undefined}>
          {text}
        </a>
      ))}
      <a href={back}>{t("brand.previewBack")}</a>
    </header>
  )
}

type ShopPageProps = { name: string; logo: Logo | null; footer: Footer; children: ReactNode }

/** The header and footer of the shop's pages around one of them. */
export function ShopPagePreview({ name, logo, footer, children }: ShopPageProps) {
  return (
    <>
      <header className="top">
        <div className="wide">
          <span className="brand">
            {logo ? <OwnMark logo={logo} /> : <ProductMark />}
            {(logo?.withName ?? true) && name}
          </span>
        </div>
      </header>
      {children}
      <PageFooter shopName={name} footer={footer} />
    </>
  )
}

/** A message as its text part says it. */
export function MailPreview({ subject, text }: { subject: string; text: string }) {
  return (
    <article className="card">
      <h1 className="breaks">{subject}</h1>
      <p className="mail-text">{text}</p>
    </article>
  )
}
