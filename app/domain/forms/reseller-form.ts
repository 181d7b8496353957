import { z } from "zod"
import { CheckoutForm } from "./checkout-form"
import { confirmPasswordRule } from "./field-rules"
import { idField } from "./field-schemas"
import { ruledText } from "./ruled-text"
import { PasswordForm, SignInForm } from "./service-form"
import { lineNotesRule } from "./service-rules"
import { shownCreditsIn } from "./shown-prices"

const Id = idField("checkout.plan.required")

/** Fields of a reseller order besides the account. Messages are translation keys. */
export const ResellerOrderForm = CheckoutForm.pick({
  plan: true,
  gateway: true,
  promoCode: true,
  shown: true,
}).extend({
  /** Idempotency key of the form. */
  key: Id,
  /** The credits of the plans that the page showed. */
  credits: z.string().transform(shownCreditsIn).optional().catch(undefined),
})

/** An existing account; the billing backend verifies the password. */
export const ExistingResellerForm = SignInForm

/** A new account. Its fields are hidden and not required for visitors with an existing account. */
export const NewResellerForm = SignInForm.pick({ email: true })
  .extend({
    newPassword: PasswordForm.shape.password,
    confirmPassword: ruledText(() => null),
  })
  .refine(({ newPassword, confirmPassword }) => confirmPasswordRule(newPassword)(confirmPassword) === null, {
    path: ["confirmPassword"],
    message: "resellers.notSame",
    // Compares the passwords even if other fields are invalid.
    when: () => true,
  })

/** Whether the visitor has an existing account. */
export const ClaimsExisting = z
  .enum(["yes", "no"])
  .catch("no")
  .transform((body) => body === "yes")

/** Fields to create a line for a reseller's customer. */
export const LineForm = z.object({
  key: Id,
  serviceid: Id,
  notes: ruledText(lineNotesRule).transform((typed) => typed.trim()),
})

/** Lines to extend, each once. */
export const LineExtensionForm = z.object({
  key: Id,
  serviceid: Id,
  line: z
    .array(Id)
    .min(1)
    .max(100)
    .transform((ids) => [...new Set(ids)]),
})
