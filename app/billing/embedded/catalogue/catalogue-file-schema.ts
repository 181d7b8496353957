import { z } from "zod"
import { renewalPrices } from "~/domain/catalogue/catalogue"
import { MAX_TRIAL_HOURS } from "~/domain/catalogue/trial"
import { Field, Id, Name, Option, Pricing, ScheduledPrices } from "./catalogue-schema"
import { PromotionShape } from "./promotion-schema"

const Plan = z.strictObject({
  pid: Id,
  name: Name,
  paytype: z.enum(["recurring", "onetime"], 'is neither "recurring" nor "onetime"').default("recurring"),
  pricing: Pricing,
  configoptions: z.array(Id).default([]),
  customfields: z.array(Id).default([]),
  renewal_price: z.enum(renewalPrices, 'is neither "kept" nor "current" nor "none"').optional(),
  grace_days: z.int("is not a whole number").min(0, "is below 0").max(365, "is above 365").optional(),
  trial: z
    .strictObject({
      hours: z
        .int("is not a whole number")
        .min(1, "is below 1")
        .max(MAX_TRIAL_HOURS, `is above ${MAX_TRIAL_HOURS}`),
    })
    .optional(),
  hidden: z.boolean("is neither true nor false").optional(),
  scheduled_prices: ScheduledPrices.optional(),
})

const ResellerPlan = Plan.extend({ credits: z.int("is not a whole number").min(1, "is below 1") })

export const CatalogueShape = z.strictObject({
  plans: z.array(Plan, "is missing").min(1, "has no plan"),
  resellerPlans: z.array(ResellerPlan).default([]),
  configoptions: z.array(Option).default([]),
  customfields: z.array(Field).default([]),
  promotions: z.array(PromotionShape).default([]),
})

export type CatalogueFileContents = z.output<typeof CatalogueShape>
export type PlanEntry = CatalogueFileContents["plans"][number] & { credits?: number }
