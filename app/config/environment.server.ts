import { z } from "zod"
import { SECOND } from "~/domain/calendar"
import { currencies } from "~/domain/money/money"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { analyticsFields } from "./analytics.server"
import { billingFields } from "./billing.server"
import { consoleFields } from "./console.server"
import { BareOrigin, Host, List, Origin, Port, SigningSecret, Switch, TimeZone } from "./fields.server"
import { gatewayFields } from "./gateways.server"
import { mailFields } from "./mail.server"
import { observabilityFields } from "./observability.server"
import { termFields } from "./terms.server"
import { webhookFields } from "./webhooks.server"

/** The process: addresses, data, secrets, limits. */
const serverFields = {
  PORT: Port.default(3000).meta({
    description: "Port of the shop; `0` takes a free one, which the start prints",
  }),
  HOST: Host.default("127.0.0.1").meta({ description: "Address the shop listens on" }),
  PUBLIC_URL: BareOrigin.optional().meta({
    description: "Public scheme, host and port, for buyers and gateways. Required off loopback",
    default: "`http://HOST:PORT`",
  }),
  DATA_DIR: z.string().default("data").meta({
    description:
      "Folder of the SQLite database `boxoffice.db`, the sandbox's data, and the generated secrets of a shop on loopback",
  }),
  SESSION_SECRETS: List.pipe(z.array(z.string().min(32, "must have at least 32 characters")).nonempty())
    .optional()
    .meta({
      description:
        "Secrets of at least 32 characters that encrypt the session cookie, separated by commas: the first encrypts, all decrypt. Required off loopback",
      default: "generated on loopback",
    }),
  TRUSTED_PROXIES: List.default([]).meta({
    description: "Addresses, networks (`10.0.0.0/8`) or `loopback` whose `X-Forwarded-For` is trusted",
  }),
  MAX_CONCURRENT_REQUESTS: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(1_000)
    .meta({ description: "Requests in flight; above it, new visitors get 503 with `Retry-After`" }),
  UPSTREAM_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(30 * SECOND)
    .default(10 * SECOND)
    .meta({
      description:
        "Timeout for gateways, panels, country services and PostgreSQL, in milliseconds; at most 30 000",
    }),
}

/** What visitors see, and how they are identified. */
const shopFields = {
  SHOP_NAME: z.string().min(1).max(40).optional().meta({
    description:
      "Name in header and titles; overrides `SHOP_FILE`, and a name that the console sets overrides both",
    default: "the shop file's",
  }),
  SHOP_FILE: z.string().optional().meta({
    description: "JSON file with brand, help links and player apps ([shop-file.md](shop-file.md))",
    default: "the demo's",
  }),
  CURRENCY: z.enum(currencies).default("EUR").meta({
    description:
      "Currency of the shop. Visitors from the United Kingdom pay in GBP where the catalogue has such prices",
  }),
  TIME_ZONE: TimeZone.default("UTC").meta({ description: "Time zone of promotions and displayed times" }),
  DEFAULT_PID: z
    .string()
    .optional()
    .meta({ description: "Product id of the preselected plan", default: "the best offer" }),
  DEFAULT_RESELLER_PID: z
    .string()
    .optional()
    .meta({ description: "Product id of the preselected reseller plan", default: "the second one" }),
  NEW_RESELLER_PID: z.string().optional().meta({
    description: "Product id of the preselected reseller plan for a customer without one",
    default: "`DEFAULT_RESELLER_PID`",
  }),
  DEFAULT_COUNTRY: z
    .string()
    .regex(/^[A-Z]{2}$/, "must be a country code, for example MA")
    .default("MA")
    .meta({ description: "Country of a new customer whose own is unknown" }),
  FALLBACK_CLIENT_IP: z.union([z.ipv4(), z.ipv6()], "must be an IP address").default("0.0.0.0").meta({
    description:
      "Client address recorded with an order when the real one is unknown; the order's timeline shows it",
  }),
  FRAUD_CHECK: Switch.default("on").meta({
    description: "Check blocks and unpaid orders before an order is accepted",
  }),
  TRUST_EMAIL_LINKS: Switch.default("off").meta({
    description:
      "`on`: an email address in a link signs its customer in. Anyone with the address can then see its services",
  }),
}

/** The country of a visitor. */
const countryFields = {
  COUNTRY_SOURCE: z.enum(["table", "online", "header", "off"]).default("table").meta({
    description: "Source of a visitor's country: a table, an online service, a CDN's header, or none",
  }),
  COUNTRY_TABLE: z.string().optional().meta({
    description:
      "For `table`: file in the MaxMind DB format (`.mmdb`); a newer one at the same path is read while the shop runs",
    default: "the included one on loopback; else none, and every visitor pays in `CURRENCY`",
  }),
  COUNTRY_URL: z
    .url({ protocol: /^https?$/ })
    .refine((url) => url.includes("{ip}"), "must contain {ip}")
    .optional()
    .meta({ description: "For `online`: URL with `{ip}` of a service that answers with `countryCode`" }),
  COUNTRY_HEADER: z
    .string()
    .regex(/^[\w-]+$/, "must be a header name")
    .default("cf-ipcountry")
    .meta({
      description:
        "For `header`: name of the header. Only for a shop that is reachable through the CDN alone",
    }),
}

/** The numbers for tax of businesses. */
const taxNumberFields = {
  VIES_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({
      description:
        "REST API of the European Commission's VIES, which confirms VAT numbers: `https://ec.europa.eu/taxation_customs/vies/rest-api`. Without it businesses pay with tax like consumers",
      default: "the sandbox's with the sandbox; else none",
    }),
}

/** The test payment provider. */
const sandboxFields = {
  SANDBOX: z
    .enum(["on", "off", "auto"])
    .default("auto")
    .meta({ description: "The test payment provider. `auto`: only on loopback and without a real gateway" }),
  SANDBOX_PORT: Port.default(3001).meta({ description: "Port of the sandbox" }),
  SANDBOX_SMTP_PORT: Port.default(0).meta({
    description: "Port of the sandbox's mail server, on loopback only; `0` takes a free one",
  }),
}

/** Lines and their playlists. */
const provisioningFields = {
  PROVISIONER: z.enum(["local", "webhook", "billing"]).optional().meta({
    description:
      "What provisions lines: `local` (credentials in the database only), `webhook` (your panel) or `billing` (the external billing system)",
    default: "`local`, or `billing` with external billing",
  }),
  PROVISIONER_URL: Origin.optional().meta({ description: "For `webhook`: its URL" }),
  PROVISIONER_SECRET: SigningSecret.regex(/^whsec_.{32}/, "must be a whsec_… secret of 24 bytes or more")
    .optional()
    .meta({ description: "For `webhook`: the `whsec_…` secret that signs the shop's calls" }),
  STREAM_URL: Origin.optional().meta({
    description: "The server that players connect to; with external billing only if that system names none",
    default: "`https://tv.example.com`",
  }),
  PANEL_URL: Origin.optional().meta({
    description: "The resellers' panel, shown with their account",
    default: "`https://panel.example.com`",
  }),
  PLAYLIST_TEMPLATE_FILE: z.string().optional().meta({
    description: "Playlist template with `{host}`, `{username}` and `{password}`; begins with `#EXTM3U`",
    default: "the demo's",
  }),
}

/** All environment variables, by section of `docs/configuration.md`, which is generated from them. */
export const environmentSections = {
  Server: serverFields,
  Shop: { ...shopFields, ...analyticsFields },
  Countries: { ...countryFields, ...taxNumberFields },
  Billing: billingFields,
  Terms: termFields,
  Gateways: gatewayFields,
  Sandbox: sandboxFields,
  Provisioning: provisioningFields,
  Mail: mailFields,
  Console: consoleFields,
  Webhooks: webhookFields,
  Observability: observabilityFields,
}

export const EnvironmentSchema = z.object({
  ...serverFields,
  ...shopFields,
  ...analyticsFields,
  ...countryFields,
  ...taxNumberFields,
  ...billingFields,
  ...termFields,
  ...gatewayFields,
  ...sandboxFields,
  ...provisioningFields,
  ...mailFields,
  ...consoleFields,
  ...webhookFields,
  ...observabilityFields,
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
