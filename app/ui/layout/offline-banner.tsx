import { useEffect, useState, useSyncExternalStore } from "react"
import { BASE } from "~/domain/base-path"
import { useTranslation } from "~/i18n/use-translation"

/** Says that there is no network for as long as there is none. The place is there before the words, so that they are read out. */
export function OfflineBanner() {
  return (
    <div className="offline" role="status">
      {useOffline() && <OfflineText />}
    </div>
  )
}

/** Whatever would leave the page is held back: without a network it would lose what has been typed. */
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
    // Before anybody else hears of it: a form that is not sent must not look busy.
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
