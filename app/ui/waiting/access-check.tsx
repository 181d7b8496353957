import { useEffect } from "react"
import { fetchOrderVersion } from "./fetch-order-version"

/**
 * Reloads a page with login details that comes back into view after this browser has lost its access to the service, as by a sign-out
 * in another tab. Otherwise, and while the server does not answer, the page stays as it is.
 */
export function AccessCheck({ serviceId }: { serviceId: string }) {
  useEffect(() => {
    const abort = new AbortController()
    const { signal } = abort
    async function check() {
      if (document.hidden) return
      const version = await fetchOrderVersion(serviceId, signal).catch(() => null)
      if (version === "" && !signal.aborted) location.reload()
    }
    addEventListener("visibilitychange", check, { signal })
    return () => abort.abort()
  }, [serviceId])
  return null
}
