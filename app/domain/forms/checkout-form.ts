import { z } from "zod"
import { isShortEnough, typedEmail } from "../customers/email"
import { gatewayIds } from "../payments/gateway-id"
import { EmailField, GatewayField, idField } from "./field-schemas"
import { shownPricesIn } from "./shown-prices"

/** Buttons of the checkout form. */
export const intents = ["update", "apply-promo", "remove-promo", "pay"] as const
export type Intent = (typeof intents)[number]

/** The pressed button; a missing or unknown one counts as "pay", which validates everything. */
export const IntentField = z.object({ intent: z.enum(intents).catch("pay") })

const Text = (max: number) => z.string().trim().max(max)

const Plan = idField("checkout.plan.required")
const PromoCode = Text(64).optional()

/** Fields of any button: missing or invalid ones count as not chosen yet. */
export const DraftForm = z.object({
  plan: Plan.optional().catch(undefined),
  email: z.string().trim().refine(isShortEnough).transform(typedEmail).optional().catch(undefined),
  gateway: z.enum(gatewayIds).optional().catch(undefined),
  extraConnection: z.boolean().catch(false),
  proxyProtection: z.boolean().catch(false),
  promoCode: PromoCode.catch(undefined),
})

/** A code that is kept unchecked: there is room in the cookie for so many bytes. */
export const TypedCode = PromoCode.refine((code = "") => new TextEncoder().encode(code).length <= 64).catch(
  undefined,
)

/** Applying a promo code needs a plan and a code. */
export const PromoForm = DraftForm.extend({
  plan: Plan,
  promoCode: z.string("checkout.promo.required").trim().min(1).max(64, "promotion.unknown"),
})

/** Fields required to pay. Messages are translation keys. */
export const CheckoutForm = DraftForm.extend({
  plan: Plan,
  email: EmailField,
  gateway: GatewayField,
  promoCode: z.string().trim().max(64, "promotion.unknown").optional(),
  /** The total that the page showed, or without script its prices. */
  shown: z.string().transform(shownPricesIn).optional().catch(undefined),
})

/** The account credit that a form showed, in minor units; 0 if missing. */
export const ShownCredit = z.coerce.number().int().nonnegative().catch(0)

/** The e-mail of an order, corrected by its buyer. */
export const OrderEmailForm = z.object({
  email: EmailField,
})

/** The review step posts the draft's key, the total that it showed, in minor units, and a reseller plan's credits. */
export const CreatingOrderForm = z.object({
  draft: z.string().min(1).max(64),
  total: z.coerce.number().int().nonnegative(),
  credits: z.coerce.number().int().nonnegative().optional().catch(undefined),
})
