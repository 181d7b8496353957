import { z } from "zod"
import type { FieldRule } from "./field-rules"

/** A text field that a rule checks. A missing field is an empty one. */
export function ruledText(rule: FieldRule) {
  return z
    .string()
    .optional()
    .catch(undefined)
    .transform((typed = "") => typed)
    .refine((typed) => rule(typed) === null, { error: ({ input }) => rule(String(input)) ?? undefined })
}
