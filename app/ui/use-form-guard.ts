import type { SubmitEvent } from "react"
import { useNavigation } from "react-router"

/**
 * What the checkout's form lets through: one payment at a time, and none to an address that cannot be one. The other
 * buttons ask for nothing. Returns whether a payment is under way, and what the form does when it is sent.
 */
export function useFormGuard(judgeEmail: (typed: string) => boolean) {
  const { state, formData } = useNavigation()
  const busy = state !== "idle" && formData?.get("intent") === "pay"

  function guard(event: SubmitEvent<HTMLFormElement>) {
    const { submitter } = event.nativeEvent
    if (!(submitter instanceof HTMLButtonElement) || submitter.value !== "pay") return
    const email = event.currentTarget.querySelector<HTMLInputElement>('[name="email"]')
    if (busy) return event.preventDefault()
    if (!email || judgeEmail(email.value)) return
    event.preventDefault()
    email.focus()
  }

  return { busy, guard }
}
