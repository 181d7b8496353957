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
export function useFieldCheck(answer: FieldErrors, errorsIn = emailErrors): FieldCheck {
  const [own, setOwn] = useState<{ answer: FieldErrors; errors: FieldErrors } | null>(null)
  const say = (errors: FieldErrors) => setOwn({ answer, errors })
  return {
    errors: own?.answer === answer ? own.errors : answer,
    clearErrors: () => say({}),
    validate(typed) {
      const errors = validateEmail(typed)
      say(errors)
      return !errors.email
    },
    validateForm(form) {
      const errors = errorsIn(form)
      say(errors)
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
