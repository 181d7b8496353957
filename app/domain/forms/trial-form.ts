import { z } from "zod"
import { EmailField, idField } from "./field-schemas"

/** The form that starts a free trial. Messages are translation keys. */
export const TrialForm = z.object({
  plan: idField("checkout.plan.required"),
  email: EmailField,
  /** Idempotency key. */
  key: z.string().min(1).max(64),
})
