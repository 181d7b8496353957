import { z } from "zod"
import { gatewayIds } from "../gateway-id"
import { declineReasons } from "../renewal"
import { NOT_RENEWABLE } from "./renewal-fields"

/** Ids that the page generated; anything else is a forged form. */
const OwnText = z.string(NOT_RENEWABLE).regex(/^[\w-]{1,64}$/)

/** Cycles, as the value of a radio button. */
const Cycles = z
  .string(NOT_RENEWABLE)
  .regex(/^\d{1,2}$/)
  .transform(Number)

/** Services that are paid with the chosen one, for a cycle each. */
const Also = z.array(OwnText).max(20).default([])

/** Fields to order a renewal. Messages are translation keys. */
export const RenewalForm = z.object({
  /** Idempotency key of the form. */
  key: OwnText,
  serviceid: OwnText,
  cycles: Cycles,
  also: Also,
  gateway: z.enum(gatewayIds, "checkout.gateway.required"),
})

/** Id of an invoice of an external billing system, as the value of a radio button. */
const Invoice = z.string(NOT_RENEWABLE).regex(/^\d{1,18}$/)

/** Fields to pay a renewal invoice of an external billing system. */
export const InvoiceForm = z.object({
  /** Idempotency key of the form. */
  key: OwnText,
  serviceid: OwnText,
  invoice: Invoice,
  gateway: z.enum(gatewayIds, "checkout.gateway.required"),
})

/** Fields to update the total: missing or invalid ones count as not chosen. */
export const RenewalDraft = z.object({
  cycles: Cycles.optional().catch(undefined),
  invoice: Invoice.optional().catch(undefined),
  also: Also.catch([]),
})

/** Price that the form showed, in minor units; null if missing. */
export const ShownPrice = z.coerce.number().int().nonnegative().nullable().catch(null)

/** Price in minor units that a customer switches to. */
export const LowerPriceForm = z.object({ price: z.coerce.number().int().nonnegative() })

export const DeclineForm = z.object({ reason: z.enum(declineReasons).catch("other") })
