import { useState } from "react"
import { isEmail } from "~/domain/email"
import type { FieldErrors } from "./form-errors"
import { fieldOf, type Judge } from "./use-form-guard"

export type FieldCheck = {
  /** What is to be said at the fields now. */
  readonly problems: FieldErrors
  /** Looks at an e-mail that has been typed. True: it can be one. */
  readonly judge: (typed: string) => boolean
  /** Looks at the whole form. */
  readonly judgeForm: Judge
  /** He is typing again: nothing is said until he is done. */
  readonly forgive: () => void
}

/**
 * The rules of fields in the browser, said in the page's own words. `problemsIn`: what is wrong with a form, by field.
 * What the server answers last comes first.
 */
export function useFieldCheck(answer: FieldErrors, problemsIn = emailProblems): FieldCheck {
  const [own, setOwn] = useState<{ answer: FieldErrors; problems: FieldErrors } | null>(null)
  const say = (problems: FieldErrors) => setOwn({ answer, problems })
  return {
    problems: own?.answer === answer ? own.problems : answer,
    forgive: () => say({}),
    judge(typed) {
      const problems = judgeEmail(typed)
      say(problems)
      return !problems.email
    },
    judgeForm(form) {
      const problems = problemsIn(form)
      say(problems)
      const [first] = Object.keys(problems)
      return first ? fieldOf(form, first) : null
    },
  }
}

function emailProblems(form: HTMLFormElement): FieldErrors {
  const email = fieldOf(form, "email")
  return email ? judgeEmail(email.value) : {}
}

/** The e-mail's rule, the same as on the server. */
export function judgeEmail(typed: string): FieldErrors {
  return isEmail(typed.trim()) ? {} : { email: ["checkout.email.invalid"] }
}
