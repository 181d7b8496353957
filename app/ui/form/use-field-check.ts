import { useState } from "react"
import { isEmail } from "~/domain/email"
import type { FieldErrors } from "./form-errors"
import { fieldOf, type Validate } from "./use-form-guard"

export type FieldCheck = {
  /** What is to be said at the fields now. */
  readonly errors: FieldErrors
  /** Looks at an e-mail that has been typed. True: it can be one. */
  readonly validate: (typed: string) => boolean
  /** Looks at the whole form. */
  readonly validateForm: Validate
  /** He is typing again: nothing is said until he is done. */
  readonly clearErrors: () => void
}

/**
 * The rules of fields in the browser, said in the page's own words. `problemsIn`: what is wrong with a form, by field.
 * What the server answers last comes first.
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

/** The e-mail's rule, the same as on the server. */
export function validateEmail(typed: string): FieldErrors {
  return isEmail(typed.trim()) ? {} : { email: ["checkout.email.invalid"] }
}
