import { createContext, use } from "react"
import type { I18n } from "./i18n"

/** No default: a component outside the provider throws. */
export const I18nContext = createContext<I18n | null>(null)

/**
 * Translations of the page's locale. Not react-i18next's hook of the same name: a page never changes its locale, so there
 * is nothing to subscribe to, and that hook clones the i18next instance at every call, a quarter of the cost of a page.
 */
export function useTranslation(): I18n {
  const i18n = use(I18nContext)
  if (!i18n) throw new Error("Cannot translate outside of I18nContext")
  return i18n
}
