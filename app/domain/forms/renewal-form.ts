import { z } from "zod"
import { declineReasons } from "../services/renewal"
import { GatewayField, idField } from "./field-schemas"
import { NOT_RENEWABLE } from "./renewal-fields"

const Id = idField(NOT_RENEWABLE)

/** Cycles, as the value of a radio button. */
const Cycles = z
  .string(NOT_RENEWABLE)
  .regex(/^\d{1,2}$/)
  .transform(Number)

/** Services that are paid with the chosen one, for a cycle each. */
const Also = z.array(Id).max(20).default([])

/** Fields to order a renewal. Messages are translation keys. */
export const RenewalForm = z.object({
  /** Idempotency key of the form. */
  key: Id,
  serviceid: Id,
  cycles: Cycles,
  also: Also,
  gateway: GatewayField,
})

/** Id of an invoice of an external billing system, as the value of a radio button. */
const Invoice = z.string(NOT_RENEWABLE).regex(/^\d{1,18}$/)

/** Fields to pay a renewal invoice of an external billing system. */
export const InvoiceForm = z.object({
  /** Idempotency key of the form. */
  key: Id,
  serviceid: Id,
  invoice: Invoice,
  gateway: GatewayField,
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
