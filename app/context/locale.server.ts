import { createContext } from "react-router"
import { defaultLocale, type Locale } from "~/domain/locales"

/** The page's locale, from the path's prefix. */
export const localeContext = createContext<Locale>(defaultLocale)
