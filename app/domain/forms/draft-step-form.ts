import { z } from "zod"
import { locales } from "../locales"
import { draftSteps } from "../orders/purchase-step"
import { gatewayIds } from "../payments/gateway-id"
import { COUNTED_STEPS } from "./hidden-fields"

const MAX_DOMAIN = 253

/** What the order form tells the server while it is filled in: which step, and of an e-mail its domain only. */
export const DraftStepForm = z.object({
  step: z.enum(draftSteps),
  plan: z.string().nullable(),
  gateway: z.enum(gatewayIds).nullable().catch(null),
  locale: z.enum(locales.map(({ code }) => code)),
  [COUNTED_STEPS]: z.string().catch(""),
  domain: z.string().max(MAX_DOMAIN).nullable(),
})
