/** Milliseconds between two reloads, of this module and of the page's own script (`ssr/defer-scripts`). */
export const AT_MOST_EVERY_MS = 60_000
/** Key of the session storage for the time of the last one. */
export const LAST = "reloaded"

/**
 * Reloads the page when a chunk is missing or outdated because a release was deployed since the page was opened. At most
 * once a minute, which prevents a reload loop, and never offline, which would lose what has been typed.
 */
export function reloadOnce(): void {
  if (navigator.onLine && mayReload()) location.reload()
}

/** False in a browser without storage, where reloads cannot be counted. */
function mayReload(): boolean {
  try {
    const now = Date.now()
    if (now - Number(sessionStorage.getItem(LAST)) < AT_MOST_EVERY_MS) return false
    sessionStorage.setItem(LAST, String(now))
    return true
  } catch {
    return false
  }
}
