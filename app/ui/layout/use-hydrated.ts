import { useSyncExternalStore } from "react"

const never = () => () => {}

/** False during server rendering, true after hydration: for controls that need script. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
