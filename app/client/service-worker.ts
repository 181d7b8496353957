import { NetworkOnly, Serwist } from "serwist"
import { BASE } from "~/domain/base-path"
import { defaultLocale, localeOfPrefix, locales } from "~/domain/locales"

/** Filled in by the build: files with a hash in their name, and what changes with every release. */
declare const KEPT_FILES: readonly string[]
declare const RELEASE: string

const offlinePages = locales.map(({ code, prefix }) => ({ code, url: `${BASE}${prefix}/offline` }))

/** The language of a page, by its address. */
function codeOf(address: string): string {
  const [, , prefix] = new URL(address).pathname.split("/")
  return (localeOfPrefix(prefix) ?? defaultLocale).code
}

/**
 * Keeps files that never change and the page that says there is no network, and nothing else: what the shop answers is
 * one visitor's own and goes through untouched. A new worker waits until the pages of the old release are closed, so
 * that their files stay.
 */
new Serwist({
  precacheEntries: [...KEPT_FILES, ...offlinePages.map(({ url }) => ({ url, revision: RELEASE }))],
  precacheOptions: {
    cleanupOutdatedCaches: true,
    // Without cookies a page knows nobody's name, and leaves the visitor's language as it is.
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
