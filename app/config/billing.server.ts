import { z } from "zod"
import { SECOND } from "~/domain/calendar"
import { List, Origin, Switch, TimeZone } from "./fields.server"
import { retentionFields } from "./retention.server"

/** "12:25,13:100": credits by reseller plan, for billing systems that cannot store them. */
const ResellerCreditsByPlan = List.transform((list, context) => {
  const parts = list.map((it) => /^([\w-]{1,64}):(\d{1,6})$/.exec(it))
  if (parts.includes(null)) context.addIssue({ code: "custom", message: "must be like 12:25,13:100" })
  return new Map(parts.map((it) => [it?.[1] ?? "", Number(it?.[2])]))
})

/** Products by group ("group:2") or by id ("1,2,3"). */
const PlanSource = z
  .string()
  .regex(/^(group:\d{1,9}|\d{1,9}(\s*,\s*\d{1,9})*)$/, "must be like group:2 or 1,2,3")
  .transform((text) => {
    const [, group] = /^group:(\d+)$/.exec(text) ?? []
    return group ? { group } : { ids: text.split(",").map((it) => it.trim()) }
  })

const FunctionName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be the name of a module function")

/** The billing backend and its connection. The README documents these variables. */
export const billingFields = {
  BILLING: z.enum(["embedded", "remote", "whmcs"]).default("embedded"),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must start with postgres://")
    .optional(),
  CATALOGUE_FILE: z.string().optional(),
  RESELLER_PLAN_CREDITS: ResellerCreditsByPlan.default(new Map()),
  ...retentionFields,

  BILLING_URL: Origin.optional(),
  BILLING_API_KEY: List.pipe(
    z.array(z.string().min(32, "must have at least 32 characters")).nonempty(),
  ).optional(),
  /** Timeout from spec section 9. */
  BILLING_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(30 * SECOND)
    .default(30 * SECOND),
  BILLING_MAP_ENCODING: z.enum(["json", "php"]).default("json"),
  BILLING_CHECKOUT_ORIGINS: List.pipe(z.array(Origin)).default([]),

  WHMCS_URL: Origin.optional(),
  WHMCS_IDENTIFIER: z.string().optional(),
  WHMCS_SECRET: z.string().optional(),
  WHMCS_ACCESS_KEY: z.string().optional(),
  WHMCS_PLANS: PlanSource.optional(),
  WHMCS_RESELLER_PLANS: PlanSource.optional(),
  WHMCS_FIELD_USERNAME: z.string().default("Username"),
  WHMCS_FIELD_PASSWORD: z.string().default("Password"),
  WHMCS_FIELD_MAC: z.string().default("MAC Address"),
  WHMCS_TIME_ZONE: TimeZone.default("UTC"),
  WHMCS_RESTART_COMMAND: FunctionName.default("recreate"),
  WHMCS_MAC_UPDATE_COMMAND: FunctionName.default("change-package"),
  WHMCS_TRACK_AFFILIATE_CLICKS: Switch.default("on"),
}
