import { z } from "zod"
import { gatewayIds } from "../gateway-id"
import { ruledText } from "./ruled-text"
import { quantityRule } from "./service-rules"

const Quantity = ruledText(quantityRule).transform(Number)

/** Ids that the page generated; anything else is a forged form. */
const OwnText = z.string("upsell.gone").regex(/^[\w-]{1,64}$/)

/** Fields to order extra connections. Messages are translation keys. */
export const UpsellForm = z.object({
  /** Idempotency key of the form. */
  key: OwnText,
  serviceid: OwnText,
  quantity: Quantity,
  gateway: z.enum(gatewayIds, "checkout.gateway.required"),
})

/** Fields to update the total: missing or invalid ones count as not chosen yet. */
export const UpsellDraft = z.object({
  serviceid: OwnText.optional().catch(undefined),
  quantity: Quantity.optional().catch(undefined),
})

/** Unit price that the form showed, in minor units; null if missing. */
export const ShownUnit = z.coerce.number().int().positive().nullable().catch(null)
