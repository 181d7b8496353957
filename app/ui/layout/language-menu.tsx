import type { FocusEvent, KeyboardEvent } from "react"
import { BASE } from "~/domain/base-path"
import { languageIntent } from "~/domain/forms/language-button"
import { locales, localPath, withChosenLocale } from "~/domain/locales"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"

/** The form of a page whose one purpose it is: no change of the language may lose what was filled in. */
export type MenuForm = {
  readonly paused: string | null
  /** Of the form, and of its own button; without both that of an order. */
  readonly id?: string
  readonly intent?: string
}

type Menu = { path: string; query: string; form: MenuForm | null | undefined }

/**
 * Links to the page in the other locales, or buttons of its form. Full page loads, which store the choice. Search engines find the
 * languages of a page in its head.
 */
export function LanguageMenu({ path, query, form }: Menu) {
  const { t } = useTranslation()
  const current = useLocale()
  const id = form?.id ?? "order"
  return (
    <>
      {form && <DefaultButton form={id} intent={form.intent} isPaused={form.paused !== null} />}
      <details className="languages" onKeyDown={closeOnEscape} onBlur={closeBehind}>
        <summary data-code={current.iso.slice(0, 2)}>
          <span className="hidden">{t("frame.language")}: </span>
          {current.name}
        </summary>
        <ul>
          {locales.map((locale) => {
            const entry = {
              lang: locale.iso,
              "aria-current": locale === current || undefined,
              children: locale.name,
            }
            return (
              <li key={locale.code}>
                {form ? (
                  <button form={id} name="intent" value={languageIntent(locale)} formNoValidate {...entry} />
                ) : (
                  <a
                    href={`${BASE}${localPath(locale, path)}${withChosenLocale(query, locale)}`}
                    {...entry}
                  />
                )}
              </li>
            )
          })}
        </ul>
      </details>
    </>
  )
}

type Default = { form: string; intent: string | undefined; isPaused: boolean }

/** A browser sends a form with its first button on Enter, wherever that is: it must not be one of the menu's. */
function DefaultButton({ form, intent = "pay", isPaused }: Default) {
  const { t } = useTranslation()
  return (
    <button
      className="hidden"
      form={form}
      name="intent"
      value={intent}
      tabIndex={-1}
      aria-hidden="true"
      disabled={isPaused}
    >
      {t("checkout.pay")}
    </button>
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
