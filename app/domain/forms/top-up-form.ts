import { z } from "zod"
import { gatewayIds } from "../gateway-id"
import { REFUSED_TOP_UP } from "../top-up"

/** Ids that the page generated; anything else is a forged form. */
const OwnText = z.string(REFUSED_TOP_UP).regex(/^[\w-]{1,64}$/)

/** Fields to order account credit. Messages are translation keys. */
export const TopUpForm = z.object({
  /** Idempotency key of the form. */
  key: OwnText,
  serviceid: OwnText,
  /** In minor units: the value of a radio button. */
  amount: z
    .string(REFUSED_TOP_UP)
    .regex(/^\d{1,9}$/)
    .transform(Number),
  gateway: z.enum(gatewayIds, "checkout.gateway.required"),
})
