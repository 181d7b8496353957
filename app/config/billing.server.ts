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

/** The billing backend and its connection. */
export const billingFields = {
  BILLING: z.enum(["embedded", "remote", "whmcs"]).default("embedded").meta({
    description:
      "Billing system: the included engine, a server with the [billing API](api.md), or [WHMCS](whmcs.md)",
  }),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, { error: "must start with postgres://", abort: true })
    .refine(URL.canParse, "must be a URL: write # / ? and @ in its password as %23 %2F %3F and %40")
    .optional()
    .meta({
      description: "`postgres://…`: use PostgreSQL, shared by any number of instances",
      default: "SQLite in `DATA_DIR`",
    }),
  CATALOGUE_FILE: z.string().optional().meta({
    description: "Catalogue imported at the first start of the included engine",
    default: "the demo's",
  }),
  RESELLER_PLAN_CREDITS: ResellerCreditsByPlan.default(new Map()).meta({
    description:
      "Credits per reseller plan, as `12:25,13:100`, for an external billing system that does not store them",
  }),
  ...retentionFields,

  BILLING_URL: Origin.optional().meta({
    description: "For `remote`: scheme, host and port of the server with the billing API",
  }),
  BILLING_API_KEY: List.pipe(z.array(z.string().min(32, "must have at least 32 characters")).nonempty())
    .optional()
    .meta({
      description:
        "Keys of at least 32 characters, separated by commas. `remote` sends the first; other shops serve the API to clients with one of them",
    }),
  /** Default: specification, Constants. */
  BILLING_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(30 * SECOND)
    .default(30 * SECOND)
    .meta({ description: "Timeout of calls to external billing in milliseconds; at most 30 000" }),
  BILLING_MAP_ENCODING: z.enum(["json", "php"]).default("json").meta({
    description:
      "For `remote`: encoding of options and fields in an order, JSON or base64 of PHP's `serialize`",
  }),
  BILLING_CHECKOUT_ORIGINS: List.pipe(z.array(Origin)).default([]).meta({
    description: "For `remote`: origins of its payment pages, separated by commas",
    default: "those the server names",
  }),

  WHMCS_URL: Origin.optional().meta({ description: "Base URL of WHMCS, with its path" }),
  WHMCS_IDENTIFIER: z.string().optional().meta({ description: "Identifier of an API credential of WHMCS" }),
  WHMCS_SECRET: z.string().optional().meta({ description: "Secret of that credential" }),
  WHMCS_ACCESS_KEY: z.string().optional().meta({
    description: "`$api_access_key` of its configuration, if the shop's address is not on its allow list",
  }),
  WHMCS_PLANS: PlanSource.optional().meta({
    description: "Plans on sale: `group:2`, or product ids `1,2,3`",
  }),
  WHMCS_RESELLER_PLANS: PlanSource.optional().meta({
    description: "Reseller plans on sale, in the same form",
  }),
  WHMCS_FIELD_USERNAME: z
    .string()
    .default("Username")
    .meta({ description: "Name of its products' custom field with the username" }),
  WHMCS_FIELD_PASSWORD: z
    .string()
    .default("Password")
    .meta({ description: "Name of its products' custom field with the password" }),
  WHMCS_FIELD_MAC: z
    .string()
    .default("MAC Address")
    .meta({ description: "Name of its products' custom field with the device address" }),
  WHMCS_TIME_ZONE: TimeZone.default("UTC").meta({ description: "Time zone of its dates" }),
  WHMCS_RESTART_COMMAND: FunctionName.default("recreate").meta({
    description: "Module function that restarts a line, or `recreate`: terminate and create",
  }),
  WHMCS_MAC_UPDATE_COMMAND: FunctionName.default("change-package").meta({
    description: "Module function that sends a new device address to the panel, `change-package`, or `none`",
  }),
  WHMCS_TRACK_AFFILIATE_CLICKS: Switch.default("on").meta({
    description: "Record clicks on affiliate links in WHMCS",
  }),
}
