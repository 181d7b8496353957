import { z } from "zod"
import { typedEmail } from "../customers/email"
import { gatewayIds } from "../payments/gateway-id"
import { emailRule } from "./field-rules"
import { ruledText } from "./ruled-text"

/** An e-mail, without what was copied along. */
export const EmailField = ruledText(emailRule).transform(typedEmail)

/** The payment method of an order. */
export const GatewayField = z.enum(gatewayIds, "checkout.gateway.required")

/** An id or a key as the page has it; anything else is a forged form. `message`: what it is refused with, a translation key. */
export function idField(message: string) {
  return z.string(message).regex(/^[\w-]{1,64}$/)
}
