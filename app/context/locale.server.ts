import { createContext } from "react-router"
import { defaultLocale, type Locale } from "~/domain/locales"

/** The language of the page being made, from the path's prefix. */
export const localeContext = createContext<Locale>(defaultLocale)
