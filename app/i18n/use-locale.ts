import type { Locale } from "~/domain/locales"
import { useTranslation } from "./use-translation"

/** The language of the page. */
export function useLocale(): Locale {
  return useTranslation().locale
}
