import { createContext, use } from "react"
import type { Language } from "./language"

/** No default: a component outside of it is a bug, and throws. */
export const LanguageContext = createContext<Language | null>(null)

/**
 * The words of the page's language. Not react-i18next's hook of that name: a page keeps its language, so there is
 * nothing to subscribe to, and that hook copies the whole i18next instance at every call, which came to a quarter
 * of all the work for a page.
 */
export function useTranslation(): Language {
  const language = use(LanguageContext)
  if (!language) throw new Error("There is no language here")
  return language
}
