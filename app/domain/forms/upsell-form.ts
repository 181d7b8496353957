import { z } from "zod"
import { gatewayIds } from "../gateway-id"
import { UPSELL_QUANTITY } from "../upsell"

const { least, most } = UPSELL_QUANTITY
const Quantity = z.coerce.number("upsell.quantityProblem").int().min(least).max(most)

/** The form writes these itself: whatever else is sent there was not asked for. */
const OwnText = z.string("upsell.gone").regex(/^[\w-]{1,64}$/)

/** What ordering more connections needs. Messages are translation keys, so one schema serves every language. */
export const UpsellForm = z.object({
  /** One-time key of the form: sent twice, it buys once. */
  key: OwnText,
  serviceid: OwnText,
  quantity: Quantity,
  gateway: z.enum(gatewayIds, "checkout.gateway.required"),
})

/** What making the total new needs: whatever is missing or unreadable is simply not chosen yet. */
export const UpsellDraft = z.object({
  serviceid: OwnText.optional().catch(undefined),
  quantity: Quantity.optional().catch(undefined),
})

/** What a form showed; null where it does not say. */
export const ShownUnit = z.coerce.number().int().positive().nullable().catch(null)
