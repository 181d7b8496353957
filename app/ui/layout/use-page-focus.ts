import { useEffect, useRef } from "react"
import { useLocation } from "react-router"

type Place = { readonly pathname: string; readonly search: string }

/**
 * Moves the focus after a client navigation, where browsers would leave it, often on a removed element. Full page loads
 * are not affected.
 */
export function usePageFocus(): void {
  const { key, pathname, search, hash } = useLocation()
  const before = useRef({ key, pathname, search })
  useEffect(() => {
    const from = before.current
    before.current = { key, pathname, search }
    if (key === from.key) return
    const target = focusTarget(from, pathname, hash)
    if (target && target.tabIndex < 0) target.tabIndex = -1
    target?.focus()
  }, [key, pathname, search, hash])
}

/**
 * Focus target: the first field in error, the link that led away, the part that the address names, or the heading; null to
 * keep the focus.
 */
function focusTarget(from: Place, pathname: string, hash: string): HTMLElement | null {
  const { activeElement, body } = document
  if (activeElement?.matches(".problems, #question")) return null
  const wrong = document.querySelector<HTMLElement>('main [aria-invalid="true"]')
  const stays = from.pathname === pathname
  if (wrong || (stays && activeElement !== body)) return wrong
  return (
    (stays && linkTo(from.search)) || document.getElementById(hash.slice(1)) || document.querySelector("h1")
  )
}

/** The link that opened a confirmation, to return the focus to. */
function linkTo(search: string): HTMLElement | null {
  const links = document.querySelectorAll<HTMLAnchorElement>("main a")
  return [...links].find((link) => link.search === search && search !== "") ?? null
}
