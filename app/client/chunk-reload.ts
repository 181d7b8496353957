const AT_MOST_EVERY_MS = 60_000
const LAST = "reloaded"

/**
 * Loads the page anew because a part of it is missing or does not fit: a release has come since it was opened. Not
 * again within a minute, which would never end, and not without a network, which would lose what has been typed.
 */
export function reloadOnce(): void {
  if (navigator.onLine && mayReload()) location.reload()
}

/** A browser that lets us remember nothing cannot count either, so there it is never. */
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
