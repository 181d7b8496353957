import type { FocusEvent, KeyboardEvent } from "react"
import { BASE } from "~/domain/base-path"
import { locales, localPath, withChosenLocale } from "~/domain/locales"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"

/** Links to the page in the other locales. Full page loads, which store the choice. */
export function LanguageMenu({ path, query }: { path: string; query: string }) {
  const { t } = useTranslation()
  const current = useLocale()
  return (
    <details className="languages" onKeyDown={closeOnEscape} onBlur={closeBehind}>
      <summary data-code={current.iso.slice(0, 2)}>
        <span className="hidden">{t("frame.language")}: </span>
        {current.name}
      </summary>
      <ul>
        {locales.map((locale) => (
          <li key={locale.code}>
            <a
              href={`${BASE}${localPath(locale, path)}${withChosenLocale(query, locale)}`}
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

function closeOnEscape({ key, currentTarget }: KeyboardEvent<HTMLDetailsElement>) {
  if (key !== "Escape" || !currentTarget.open) return
  currentTarget.open = false
  currentTarget.querySelector("summary")?.focus()
}

/** Closes the menu when the focus leaves it. */
function closeBehind({ relatedTarget, currentTarget }: FocusEvent<HTMLDetailsElement>) {
  if (relatedTarget && !currentTarget.contains(relatedTarget)) currentTarget.open = false
}
