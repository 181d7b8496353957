import { parseWithZod } from "@conform-to/zod/v4"
import type { z } from "zod"
import type { RefusedForm } from "~/domain/refused-form"

/** Passwords are never sent back. */
const SECRETS = ["password", "newPassword", "confirmPassword"]

/** The forms have no nested fields; `__intent__` and `__state__` are conform's own and mean something in the browser only. */
const isFieldName = (name: string) => !/^__|[.[\]]/.test(name)

/** Checks a posted form against its schema. */
export function submitted<Schema extends z.ZodType>(form: FormData, schema: Schema) {
  const fields = new FormData()
  for (const [name, value] of form) if (isFieldName(name)) fields.append(name, value)
  return parseWithZod(fields, { schema })
}

/** More errors than the schema's, as translation keys: of the whole form, or by field. */
type MoreErrors = { formErrors?: string[]; fieldErrors?: Record<string, string[] | null> }

type Submission = {
  reply(options: {
    formErrors?: string[]
    fieldErrors?: Record<string, string[]>
    hideFields: string[]
  }): RefusedForm
}

/** The one answer to a refused form: its errors and what was typed, without secrets. */
export function refused(submission: Submission, { formErrors, fieldErrors }: MoreErrors = {}): RefusedForm {
  const more = Object.entries(fieldErrors ?? {}).map(([name, messages]) => [name, messages ?? []] as const)
  const answer = submission.reply({
    ...(formErrors && { formErrors }),
    fieldErrors: Object.fromEntries(more),
    hideFields: SECRETS,
  })
  // A box that is not ticked sends nothing: those stand below the fields, in the order of their errors.
  const names = [...(answer.fields ?? []), ...more.map(([name]) => name)]
  return answer.error ? { ...answer, error: inFormOrder(answer.error, names) } : answer
}

/** conform sorts the errors by name; the error summary lists them as the page has the fields, those of the whole form first. */
function inFormOrder<E extends NonNullable<RefusedForm["error"]>>(errors: E, fields: readonly string[]) {
  const place = ([name]: readonly [string, unknown]) => fields.indexOf(name)
  return Object.fromEntries(Object.entries(errors).toSorted((a, b) => place(a) - place(b)))
}

/** The answer to a form that a flow refuses: at a field, or as a whole ("form"). */
export function refusedAt(
  submission: Submission,
  { field, reason }: { field: string; reason: string },
): RefusedForm {
  return refused(
    submission,
    field === "form" ? { formErrors: [reason] } : { fieldErrors: { [field]: [reason] } },
  )
}
