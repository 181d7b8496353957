import { useEffect, useState, useSyncExternalStore } from "react"
import { BASE } from "~/domain/base-path"
import { useTranslation } from "~/i18n/use-translation"

/** Banner while offline. Its live region exists before the text, so that screen readers announce it. */
export function OfflineBanner() {
  return (
    <div className="offline" role="status">
      {useOffline() && <OfflineText />}
    </div>
  )
}

/** Blocks navigation while offline, which would lose what has been typed. */
function OfflineText() {
  const { t } = useTranslation()
  const [held, setHeld] = useState(false)
  useEffect(() => {
    const hold = (event: Event) => {
      if (event.type === "click" && !isOnLink(event.target)) return
      event.preventDefault()
      event.stopPropagation()
      setHeld(true)
    }
    // In the capture phase: a blocked form must not look busy.
    const on = ["submit", "click"] as const
    for (const type of on) addEventListener(type, hold, true)
    return () => {
      for (const type of on) removeEventListener(type, hold, true)
    }
  }, [])
  return <p>{t(held ? "offline.held" : "offline.banner")}</p>
}

function isOnLink(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(`a[href^="${BASE}"]`) !== null
}

function useOffline(): boolean {
  return useSyncExternalStore(
    onChange,
    () => !navigator.onLine,
    () => false,
  )
}

function onChange(changed: () => void): () => void {
  addEventListener("online", changed)
  addEventListener("offline", changed)
  return () => {
    removeEventListener("online", changed)
    removeEventListener("offline", changed)
  }
}
