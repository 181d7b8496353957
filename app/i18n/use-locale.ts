import type { Locale } from "~/domain/locales"
import { useTranslation } from "./use-translation"

/** The page's locale. */
export function useLocale(): Locale {
  return useTranslation().locale
}
