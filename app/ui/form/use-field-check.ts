import { useState } from "react"
import { isEmail } from "~/domain/email"
import type { FieldErrors } from "./form-errors"
import { fieldOf, type Validate } from "./use-form-guard"

export type FieldCheck = {
  /** Current errors by field. */
  readonly errors: FieldErrors
  /** Validates a typed e-mail; true if valid. */
  readonly validate: (typed: string) => boolean
  /** Validates the whole form. */
  readonly validateForm: Validate
  /** Clears the errors while the visitor corrects a field. */
  readonly clearErrors: () => void
}

/**
 * Field validation in the browser. `errorsIn`: errors of a form by field. Newer errors from the server take precedence.
 */
export function useFieldCheck(submitted: FieldErrors, errorsIn = emailErrors): FieldCheck {
  const [own, setOwn] = useState<{ submitted: FieldErrors; errors: FieldErrors } | null>(null)
  const setErrors = (errors: FieldErrors) => setOwn({ submitted, errors })
  return {
    errors: own?.submitted === submitted ? own.errors : submitted,
    clearErrors: () => setErrors({}),
    validate(typed) {
      const errors = validateEmail(typed)
      setErrors(errors)
      return !errors.email
    },
    validateForm(form) {
      const errors = errorsIn(form)
      setErrors(errors)
      const [first] = Object.keys(errors)
      return first ? fieldOf(form, first) : null
    },
  }
}

function emailErrors(form: HTMLFormElement): FieldErrors {
  const email = fieldOf(form, "email")
  return email ? validateEmail(email.value) : {}
}

/** Validates an e-mail by the same rule as the server. */
export function validateEmail(typed: string): FieldErrors {
  return isEmail(typed.trim()) ? {} : { email: ["checkout.email.invalid"] }
}
