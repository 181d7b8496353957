import { startTransition } from "react"
import { hydrateRoot } from "react-dom/client"
import { HydratedRouter } from "react-router/dom"
import { localeOfIso } from "./domain/locales"
import { createLanguage, loadCatalogue } from "./locales/language"
import { LanguageContext } from "./locales/use-translation"

const locale = localeOfIso(document.documentElement.lang)
const language = createLanguage(locale, await loadCatalogue(locale.code))

startTransition(() => {
  hydrateRoot(
    document,
    <LanguageContext value={language}>
      <HydratedRouter />
    </LanguageContext>,
  )
})

// A page taken out of the browser's memory (Back from a gateway) may be older than its order.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload()
})
