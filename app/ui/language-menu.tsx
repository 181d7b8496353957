import { BASE } from "~/domain/base-path"
import { locales } from "~/domain/locales"
import { useTranslation } from "~/locales/use-translation"
import { localPath, useLocale } from "./use-locale"

/** The same page in the other languages: plain links, so that the whole page speaks the new one at once. */
export function LanguageMenu({ path, query }: { path: string; query: string }) {
  const { t } = useTranslation()
  const current = useLocale()
  return (
    <details className="languages">
      <summary>
        <span className="hidden">{t("frame.language")}: </span>
        {current.name}
      </summary>
      <ul>
        {locales.map((locale) => (
          <li key={locale.code}>
            <a
              href={`${BASE}${localPath(locale, path)}${query}`}
              lang={locale.iso}
              hrefLang={locale.iso}
              aria-current={locale === current ? "true" : undefined}
            >
              {locale.name}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}
