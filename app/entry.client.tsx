import { startTransition } from "react"
import { hydrateRoot } from "react-dom/client"
import type { ClientOnErrorFunction } from "react-router"
import { HydratedRouter } from "react-router/dom"
import { reloadOnce } from "./client/chunk-reload"
import { BASE } from "./domain/base-path"
import { localeOfIso } from "./domain/locales"
import { createLanguage, loadCatalogue } from "./i18n/language"
import { LanguageContext } from "./i18n/use-translation"

// Vite tells of every part that cannot be fetched. One that is missed while somebody types is done without.
addEventListener("vite:preloadError", () => {
  if (!document.activeElement?.matches("input, textarea")) reloadOnce()
})

const locale = localeOfIso(document.documentElement.lang)

// Not awaited: beside a module that waits, the build would split the words into two files, and requests.
void loadCatalogue(locale.code).then((words) => {
  const language = createLanguage(locale, words)
  startTransition(() => {
    hydrateRoot(
      document,
      <LanguageContext value={language}>
        <HydratedRouter onError={reloadIfOutdated} />
      </LanguageContext>,
    )
  })
})

/** A screen that is missing (vite.config.ts), or that cannot show what the server sends since its last release. */
function reloadIfOutdated(...[, { errorInfo }]: Parameters<ClientOnErrorFunction>): void {
  if (errorInfo) reloadOnce()
}

// A page taken out of the browser's memory (Back from a gateway) may be older than its order.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload()
})

function keepWhatNeverChanges() {
  void navigator.serviceWorker.register(`${BASE}/sw.js`)
}

// Once the page has all it needs: what is kept for later must not slow it down.
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  if (document.readyState === "complete") keepWhatNeverChanges()
  else addEventListener("load", keepWhatNeverChanges)
}
