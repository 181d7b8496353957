/** What a refused form leaves to the page: conform's reply to the submission, without secrets. */
export type RefusedForm = {
  readonly status?: "error" | "success"
  /** What was typed, by field. */
  readonly initialValue?: Record<string, TypedValue> | null
  /** Names of the submitted fields. */
  readonly fields?: string[]
  /**
   * Translation keys by field, or a billing system's own sentence; those of the empty name are about the whole form. After the one of a
   * promo code a sentence says how to go on without it.
   */
  readonly error?: Record<string, string[] | null>
  /** The only wrong field stands beside the pressed button, so the page leads to it, without an error summary. */
  readonly leadsToField?: boolean
}

type TypedValue = string | TypedValue[] | { [name: string]: TypedValue }

/** The answer to the form with this button: a page of several forms has the answer to one of them. */
export function resultFor(intent: string | undefined, lastResult: RefusedForm | null | undefined) {
  return lastResult?.initialValue?.intent === intent ? lastResult : null
}

/** What was typed into a field of a refused form; null if none was refused. */
export function typedInto(name: string, lastResult: RefusedForm | null | undefined): string | null {
  if (!lastResult) return null
  const typed = lastResult.initialValue?.[name]
  return typeof typed === "string" ? typed : ""
}
