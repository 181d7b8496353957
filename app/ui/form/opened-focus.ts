import { useEffect, useRef } from "react"
import { useHydrated } from "../layout/use-hydrated"

/**
 * Focuses the heading of a part that a client navigation has opened, which scrolls it into view; returns the heading's ref. On
 * a loaded page the focus stays, since hydration comes later and must not move the reader.
 */
export function useOpenedFocus() {
  const head = useRef<HTMLHeadingElement>(null)
  const isServed = useRef(!useHydrated())
  useEffect(() => {
    if (!isServed.current) head.current?.focus()
  }, [])
  return head
}
