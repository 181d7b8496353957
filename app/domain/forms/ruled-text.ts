import { z } from "zod"
import type { FieldRule } from "./field-rules"

/** A text field that a rule checks. A missing field gets the message of an empty one. */
export function ruledText(rule: FieldRule) {
  return z
    .string(rule("") ?? undefined)
    .refine((typed) => rule(typed) === null, { error: ({ input }) => rule(String(input)) ?? undefined })
}
