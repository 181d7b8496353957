import { useEffect, useRef } from "react"
import { useLocation } from "react-router"

type Place = { readonly pathname: string; readonly search: string }

/**
 * Where the keyboard and a screen reader go on when a page has changed without being loaded: a browser would leave them
 * where they were, often on something that is gone. What was loaded begins at its top, as ever.
 */
export function usePageFocus(): void {
  const { key, pathname, search } = useLocation()
  const before = useRef({ key, pathname, search })
  useEffect(() => {
    const from = before.current
    before.current = { key, pathname, search }
    if (key === from.key) return
    const target = placeToGo(from, pathname)
    if (target?.matches("h1")) target.tabIndex = -1
    target?.focus()
  }, [key, pathname, search])
}

/** The first field to mend, the link that had led away, or the page's heading; null: the focus is where it should be. */
function placeToGo(from: Place, pathname: string): HTMLElement | null {
  const { activeElement, body } = document
  if (activeElement?.matches(".problems, #question")) return null
  const wrong = document.querySelector<HTMLElement>('main [aria-invalid="true"]')
  const stays = from.pathname === pathname
  if (wrong || (stays && activeElement !== body)) return wrong
  return (stays && linkTo(from.search)) || document.querySelector("h1")
}

/** Whoever comes back from a question finds the link that asked it. */
function linkTo(search: string): HTMLElement | null {
  const links = document.querySelectorAll<HTMLAnchorElement>("main a")
  return [...links].find((link) => link.search === search && search !== "") ?? null
}
