import { NetworkOnly, Serwist } from "serwist"
import { BASE } from "~/domain/base-path"
import { defaultLocale, localeInPath, locales, localPath } from "~/domain/locales"
import { offlinePath } from "~/domain/orders/screen-paths"

/** Set by the build: files with a hash in their name, and a version that changes with every release. */
declare const KEPT_FILES: readonly string[]
declare const RELEASE: string

const offlinePages = locales.map((locale) => ({
  code: locale.code,
  url: `${BASE}${localPath(locale, offlinePath)}`,
}))

/** Locale code of a page's URL. */
function codeOf(address: string): string {
  return (localeInPath(new URL(address).pathname) ?? defaultLocale).code
}

/**
 * Caches immutable files and the offline page, and nothing else: other responses are personal and pass through
 * unchanged. A new worker waits until the pages of the old release are closed, so that their files stay cached.
 */
new Serwist({
  precacheEntries: [...KEPT_FILES, ...offlinePages.map(({ url }) => ({ url, revision: RELEASE }))],
  precacheOptions: {
    cleanupOutdatedCaches: true,
    // Without cookies the cached page is anonymous, and the language cookie stays unchanged.
    fetchOptions: { credentials: "omit" },
  },
  clientsClaim: true,
  navigationPreload: true,
  runtimeCaching: [{ matcher: ({ request }) => request.mode === "navigate", handler: new NetworkOnly() }],
  fallbacks: {
    entries: offlinePages.map(({ code, url }) => ({
      url,
      matcher: ({ request }) => codeOf(request.url) === code,
    })),
  },
}).addEventListeners()
