import { useSyncExternalStore } from "react"

const never = () => () => {}

/** False in the page as the server writes it, true once script runs: for what is of no use without it. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
