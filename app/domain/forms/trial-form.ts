import { z } from "zod"
import { emailRule } from "./field-rules"
import { ruledText } from "./ruled-text"

/** The form that starts a free trial. Messages are translation keys. */
export const TrialForm = z.object({
  plan: z.string("checkout.plan.required").regex(/^[\w-]{1,64}$/, "checkout.plan.required"),
  email: ruledText(emailRule).transform((typed) => typed.trim()),
  /** Idempotency key. */
  key: z.string().min(1).max(64),
})
