import type { SubmitEvent } from "react"
import { useNavigation } from "react-router"

/**
 * Blocks a second payment while one is being submitted. Returns whether a payment is in progress, and whether a submission
 * has been blocked.
 */
export function useFormGuard() {
  const { state, formData } = useNavigation()
  const busy = state !== "idle" && formData?.get("intent") === "pay"

  function blocked(event: SubmitEvent<HTMLFormElement>): boolean {
    const { submitter } = event.nativeEvent
    if (!busy || !(submitter instanceof HTMLButtonElement) || submitter.value !== "pay") return false
    event.preventDefault()
    return true
  }

  return { busy, blocked }
}
