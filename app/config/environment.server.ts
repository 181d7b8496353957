import { z } from "zod"
import { SECOND } from "~/domain/calendar"
import type { GatewayId } from "~/domain/gateway-id"
import { currencies } from "~/domain/money"
import { analyticsFields } from "./analytics.server"
import { billingFields } from "./billing.server"
import { List, Origin, Port, Switch, TimeZone } from "./fields.server"
import { gatewayFields } from "./gateways.server"
import { observabilityFields } from "./observability.server"

/** All environment variables. The README documents them. */
export const EnvironmentSchema = z.object({
  PORT: Port.default(3000),
  HOST: z.string().default("127.0.0.1"),
  PUBLIC_URL: Origin.optional(),
  DATA_DIR: z.string().default("data"),
  ...observabilityFields,

  SHOP_NAME: z.string().min(1).max(40).optional(),
  CURRENCY: z.enum(currencies).default("EUR"),
  TIME_ZONE: TimeZone.default("UTC"),
  DEFAULT_PID: z.string().optional(),
  DEFAULT_RESELLER_PID: z.string().optional(),
  NEW_RESELLER_PID: z.string().optional(),

  SHOP_FILE: z.string().optional(),
  ...analyticsFields,
  DEFAULT_COUNTRY: z
    .string()
    .regex(/^[A-Z]{2}$/, "must be a country code, for example MA")
    .default("MA"),
  FALLBACK_CLIENT_IP: z.union([z.ipv4(), z.ipv6()]).default("0.0.0.0"),
  FRAUD_CHECK: Switch.default("on"),
  TRUST_EMAIL_LINKS: Switch.default("off"),

  TRUSTED_PROXIES: List.default([]),
  COUNTRY_SOURCE: z.enum(["table", "online", "header", "off"]).default("table"),
  COUNTRY_TABLE: z.string().optional(),
  COUNTRY_URL: z
    .url({ protocol: /^https?$/ })
    .refine((url) => url.includes("{ip}"), "must contain {ip}")
    .optional(),
  COUNTRY_HEADER: z
    .string()
    .regex(/^[\w-]+$/, "must be a header name")
    .default("cf-ipcountry"),

  ...billingFields,

  ...gatewayFields,

  SANDBOX: z.enum(["on", "off", "auto"]).default("auto"),
  SANDBOX_PORT: Port.default(3001),

  PROVISIONER: z.enum(["local", "webhook", "billing"]).optional(),
  PROVISIONER_URL: Origin.optional(),
  PROVISIONER_SECRET: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/=]{32,}$/, "must be a whsec_… secret")
    .optional(),
  STREAM_URL: Origin.optional(),
  PANEL_URL: Origin.optional(),
  PLAYLIST_TEMPLATE_FILE: z.string().optional(),

  SESSION_SECRETS: List.pipe(
    z.array(z.string().min(32, "must have at least 32 characters")).nonempty(),
  ).optional(),
  MAX_CONCURRENT_REQUESTS: z.coerce.number().int().min(1).max(100_000).default(1_000),
  UPSTREAM_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(30 * SECOND)
    .default(10 * SECOND),
})

export type Settings = z.output<typeof EnvironmentSchema>
export type Config = Omit<Settings, "GATEWAYS" | "DRAINED_GATEWAYS" | "PROVISIONER"> & {
  readonly PUBLIC_URL: string
  /** Provisioner of services. Default: the external billing, or `local` with embedded billing. */
  readonly PROVISIONER: "local" | "webhook" | "billing"
  /** `PUBLIC_URL` is on loopback: settings that a public shop must set get defaults. */
  readonly loopback: boolean
  readonly sandbox: boolean
  /** Offered gateways, in this order. */
  readonly GATEWAYS: readonly GatewayId[]
  /** No longer offered; open payments there are still processed. */
  readonly DRAINED_GATEWAYS: readonly GatewayId[]
}
