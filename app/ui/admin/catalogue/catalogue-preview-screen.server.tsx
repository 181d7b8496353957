import { consoleText as t } from "~/i18n/console-texts.server"
import { Notice } from "../form-parts.server"

type View = { readonly text: string; readonly href: string }

type BannerProps = {
  /** Address of the form, with what was typed. */
  back: string
  locale: string
  locales: readonly View[]
  currency: string
  currencies: readonly View[]
}

/** Says that nothing is saved, and chooses language and currency. */
export function CataloguePreviewBanner({ back, locale, locales, currency, currencies }: BannerProps) {
  return (
    <header className="as-customer">
      <p>{t("catalogue.previewBanner")}</p>
      {[...locales, ...currencies].map(({ text, href }) => (
        <a key={text} href={href} aria-current={[locale, currency].includes(text) ? "true" : undefined}>
          {text}
        </a>
      ))}
      <a href={back}>{t("catalogue.previewBack")}</a>
    </header>
  )
}

/** What was typed cannot be shown, since it could not be saved. */
export function NoPreviewScreen({ flaws, back }: { flaws: string; back: string }) {
  return (
    <>
      <h1>{t("catalogue.preview")}</h1>
      <Notice kind="bad">{t("catalogue.previewInvalid", { flaws })}</Notice>
      <p>
        <a href={back}>{t("catalogue.previewBack")}</a>
      </p>
    </>
  )
}
