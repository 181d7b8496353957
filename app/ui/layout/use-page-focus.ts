import { useEffect, useRef } from "react"
import { useLocation } from "react-router"

/** What was pressed last. Safari focuses neither buttons nor links that are pressed. */
let pressed: Node | null = null

type Place = { readonly key: string; readonly search: string; readonly heading: HTMLElement | null }

/**
 * Moves the focus after a client navigation, where browsers would leave it, often on a removed element. Full page loads
 * are not affected.
 */
export function usePageFocus(): void {
  const { key, search, hash } = useLocation()
  const before = useRef<Place>(null)
  useEffect(() => {
    addEventListener("click", ({ target }) => (pressed = target as Node), true)
  }, [])
  // After each rendering: a page may get another heading without a navigation.
  useEffect(() => {
    const from = before.current
    const heading = document.querySelector("h1")
    before.current = { key, search, heading }
    if (!from || key === from.key) return
    const target = focusTarget(from, heading, hash)
    if (target && target.tabIndex < 0) target.tabIndex = -1
    target?.focus()
  })
}

/**
 * Focus target: the first field in error, the link that led away, the part that the address names, or the heading; null to
 * keep the focus. Pages that share a path differ by their heading's element; a question may be one.
 */
function focusTarget(from: Place, heading: HTMLElement | null, hash: string): HTMLElement | null {
  const { activeElement, body } = document
  if (activeElement?.matches(".problems, #question")) return null
  const wrong = document.querySelector<HTMLElement>('main [aria-invalid="true"]')
  const stays = from.heading === heading
  const isInPlace = activeElement !== body || pressed?.isConnected
  if (wrong || (stays && isInPlace)) return wrong
  const isBack = stays || from.heading?.id === "question"
  return (isBack && linkTo(from.search)) || document.getElementById(hash.slice(1)) || heading
}

/** The link that opened a confirmation, to return the focus to. */
function linkTo(search: string): HTMLElement | null {
  const links = document.querySelectorAll<HTMLAnchorElement>("main a")
  return [...links].find((link) => link.search === search && search !== "") ?? null
}
