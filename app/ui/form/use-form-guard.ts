import type { SubmitEvent } from "react"
import { useNavigation } from "react-router"

/** Looks at what has been typed, says what is wrong beside it, and names the first field to mend; null when all is well. */
export type Validate = (form: HTMLFormElement) => HTMLElement | null

/**
 * What a checkout's form lets through: one payment at a time, and none with a field that cannot be right. The other
 * buttons ask for nothing. Returns whether a payment is under way, and what the form does when it is sent.
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

/** A field of a form by its name; null where the form has none. */
export function fieldOf(form: HTMLFormElement, name: string): HTMLInputElement | null {
  return form.querySelector<HTMLInputElement>(`input[name="${name}"]`)
}
