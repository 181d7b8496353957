/** What a refused form leaves to the page: conform's reply to the submission, without secrets. */
export type RefusedForm = {
  readonly status?: "error" | "success"
  /** What was typed, by field. */
  readonly initialValue?: Record<string, TypedValue> | null
  /** Names of the submitted fields. */
  readonly fields?: string[]
  /** Translation keys by field; those of the empty name are about the whole form. */
  readonly error?: Record<string, string[] | null>
}

type TypedValue = string | TypedValue[] | { [name: string]: TypedValue }
