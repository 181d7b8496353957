import { z } from "zod"
import { EMAIL_LENGTH, isEmail } from "../email"
import { gatewayIds } from "../gateway-id"

/** Buttons of the checkout form. */
export const intents = ["update", "apply-promo", "remove-promo", "pay"] as const
export type Intent = (typeof intents)[number]

/** The button that was pressed; none or an unknown one means paying, which asks for everything. */
export const IntentField = z.object({ intent: z.enum(intents).catch("pay") })

const Text = (most: number) => z.string().trim().max(most)

const Plan = z.string("checkout.plan.required").regex(/^[\w-]{1,64}$/, "checkout.plan.required")
const PromoCode = Text(64).optional()

/** What may be sent with any button: whatever is missing or unreadable is simply not chosen yet. */
export const DraftForm = z.object({
  plan: Plan.optional().catch(undefined),
  email: Text(EMAIL_LENGTH).optional().catch(undefined),
  gateway: z.enum(gatewayIds).optional().catch(undefined),
  extraConnection: z.boolean().default(false),
  proxyProtection: z.boolean().default(false),
  promoCode: PromoCode.catch(undefined),
})

/** What applying a code needs: a plan to apply it to, and a code. */
export const PromoForm = DraftForm.extend({
  plan: Plan,
  promoCode: z
    .string("checkout.promo.required")
    .trim()
    .min(1, "checkout.promo.required")
    .max(64, "promotion.unknown"),
})

/** What paying needs. Messages are translation keys, so one schema serves every language. */
export const CheckoutForm = DraftForm.extend({
  plan: Plan,
  email: z.string("checkout.email.invalid").trim().refine(isEmail, "checkout.email.invalid"),
  gateway: z.enum(gatewayIds, "checkout.gateway.required"),
  promoCode: z.string().trim().max(64, "promotion.unknown").optional(),
  /** The total the page showed, in minor units, where script kept it up to date. */
  shown: z.coerce.number().int().nonnegative().optional().catch(undefined),
})

/** The review step sends back what it showed: the draft it belongs to, and the total in minor units. */
export const CreatingOrderForm = z.object({
  draft: z.string().min(1).max(64),
  total: z.coerce.number().int().nonnegative(),
})
