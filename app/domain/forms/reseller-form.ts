import { z } from "zod"
import { CheckoutForm, DraftForm } from "./checkout-form"
import { PasswordForm, SignInForm } from "./service-form"

/** Browsers send a key that the page has made: whatever else is there was not asked for. */
const Key = z.string("checkout.plan.required").regex(/^[\w-]{1,64}$/, "checkout.plan.required")

/** What buying a reseller plan needs beside an account. Messages are translation keys. */
export const ResellerOrderForm = CheckoutForm.pick({
  ...{ plan: true, gateway: true, promoCode: true, shown: true },
}).extend({
  /** One-time key of the form: sent twice, it buys once. */
  key: Key,
})

/** The account of somebody who has one: whether the password is his is for the books to say. */
export const ExistingResellerForm = SignInForm

/** A new account. What the visitor cannot see, because he has said that he has an account, is not asked for. */
export const NewResellerForm = SignInForm.pick({ email: true })
  .extend({
    newPassword: PasswordForm.shape.password,
    confirmPassword: z.string("resellers.notSame"),
  })
  .refine(({ newPassword, confirmPassword }) => newPassword === confirmPassword, {
    ...{ path: ["confirmPassword"], message: "resellers.notSame" },
    // The two are compared whatever else is wrong with the form.
    when: ({ value }) => z.object({ newPassword: z.string() }).safeParse(value).success,
  })

/** Whether he says that he has an account. */
export const SaysExisting = z
  .enum(["yes", "no"])
  .catch("no")
  .transform((said) => said === "yes")

/** What may be sent with any button of the form. */
export const ResellerDraftForm = DraftForm.pick({ plan: true, email: true, gateway: true, promoCode: true })

/** What making a line for a customer of one's own needs. */
export const LineForm = z.object({
  key: Key,
  serviceid: Key,
  notes: z.string().trim().max(100, "resellers.line.tooLong").optional().default(""),
})
