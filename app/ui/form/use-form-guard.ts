import type { SubmitEvent } from "react"
import { useNavigation } from "react-router"

/** Validates a form, shows its errors, and returns the first field in error; null if valid. */
export type Validate = (form: HTMLFormElement) => HTMLElement | null

/**
 * Guards a checkout form: blocks a second payment while one is being submitted, and a payment with invalid fields. The
 * other buttons are not validated. Returns whether a payment is in progress, and the submit handler.
 */
export function useFormGuard(validate: Validate) {
  const { state, formData } = useNavigation()
  const busy = state !== "idle" && formData?.get("intent") === "pay"

  function guard(event: SubmitEvent<HTMLFormElement>) {
    const { submitter } = event.nativeEvent
    if (!(submitter instanceof HTMLButtonElement) || submitter.value !== "pay") return
    if (busy) return event.preventDefault()
    const wrong = validate(event.currentTarget)
    if (!wrong) return
    event.preventDefault()
    wrong.focus()
  }

  return { busy, guard }
}

/** A form's field by name; null without one. */
export function fieldOf(form: HTMLFormElement, name: string): HTMLInputElement | null {
  return form.querySelector<HTMLInputElement>(`input[name="${name}"]`)
}
