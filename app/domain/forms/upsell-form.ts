import { z } from "zod"
import { GatewayField, idField } from "./field-schemas"
import { ruledText } from "./ruled-text"
import { quantityRule } from "./service-rules"

const Quantity = ruledText(quantityRule).transform(Number)

const Id = idField("upsell.gone")

/** Fields to order extra connections. Messages are translation keys. */
export const UpsellForm = z.object({
  /** Idempotency key of the form. */
  key: Id,
  serviceid: Id,
  quantity: Quantity,
  gateway: GatewayField,
})

/** Fields that the page shows as they were: missing or invalid ones count as not chosen yet. */
export const UpsellDraft = z.object({
  serviceid: Id.optional().catch(undefined),
  quantity: Quantity.optional().catch(undefined),
  gateway: GatewayField.optional().catch(undefined),
})

/** Unit price that the form showed, in minor units; null if missing. */
export const ShownUnit = z.coerce.number().int().positive().nullable().catch(null)
