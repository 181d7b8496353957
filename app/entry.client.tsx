import { startTransition } from "react"
import { hydrateRoot } from "react-dom/client"
import type { ClientOnErrorFunction } from "react-router"
import { HydratedRouter } from "react-router/dom"
import { reloadOnce } from "./client/chunk-reload"
import { BASE } from "./domain/base-path"
import { localeOfIso } from "./domain/locales"
import { createI18n, loadCatalogue } from "./i18n/i18n"
import { I18nContext } from "./i18n/use-translation"

// Vite's event for a chunk that cannot be loaded. The page keeps working without it while the visitor types.
addEventListener("vite:preloadError", () => {
  if (!document.activeElement?.matches("input, textarea")) reloadOnce()
})

const locale = localeOfIso(document.documentElement.lang)

// Not awaited: with a top-level await the build would split the translations into two files.
void loadCatalogue(locale.code).then((translation) => {
  const i18n = createI18n(locale, translation)
  startTransition(() => {
    hydrateRoot(
      document,
      <I18nContext value={i18n}>
        <HydratedRouter onError={reloadIfOutdated} />
      </I18nContext>,
    )
  })
})

/** Reloads when a screen's chunk is missing (vite.config.ts) or cannot render the data of a newer release. */
function reloadIfOutdated(...[, { errorInfo }]: Parameters<ClientOnErrorFunction>): void {
  if (errorInfo) reloadOnce()
}

// A page from the back/forward cache (Back from a gateway) may be older than its order.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload()
})

// So may one that WebKit has kept in spite of its headers. Its load may be over before this script runs.
const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[]
if (visit?.type === "back_forward" && !visit.transferSize) location.reload()

function registerServiceWorker() {
  void navigator.serviceWorker.register(`${BASE}/sw.js`)
}

// After the page has loaded: filling the offline cache must not slow it down.
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  if (document.readyState === "complete") registerServiceWorker()
  else addEventListener("load", registerServiceWorker)
}
