import type { Locale } from "~/domain/locales"
import { useTranslation } from "./use-translation"

/** The language of the page. */
export function useLocale(): Locale {
  return useTranslation().locale
}

/** A page of ours in a language, as React Router's links and forms take it: "/waiting" is "/de-de/waiting". */
export function localPath({ prefix }: Locale, path: string): string {
  return prefix && path === "/" ? prefix : `${prefix}${path}`
}
