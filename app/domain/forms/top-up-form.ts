import { z } from "zod"
import { REFUSED_TOP_UP } from "../orders/top-up"
import { GatewayField, idField } from "./field-schemas"

const Id = idField(REFUSED_TOP_UP)

/** Fields to order account credit. Messages are translation keys. */
export const TopUpForm = z.object({
  /** Idempotency key of the form. */
  key: Id,
  serviceid: Id,
  /** In minor units: the value of a radio button. */
  amount: z
    .string(REFUSED_TOP_UP)
    .regex(/^\d{1,9}$/)
    .transform(Number),
  gateway: GatewayField,
})
