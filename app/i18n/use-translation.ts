import { createContext, use } from "react"
import type { Language } from "./language"

/** No default: a component outside the provider throws. */
export const LanguageContext = createContext<Language | null>(null)

/**
 * Translations of the page's locale. Not react-i18next's hook of the same name: a page never changes its locale, so there
 * is nothing to subscribe to, and that hook clones the i18next instance at every call, a quarter of the cost of a page.
 */
export function useTranslation(): Language {
  const language = use(LanguageContext)
  if (!language) throw new Error("Cannot translate outside of LanguageContext")
  return language
}
