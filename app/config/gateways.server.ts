import { z } from "zod"
import { gatewayIds } from "~/domain/payments/gateway-id"
import { Gateways, List, Origin, Secrets, SigningSecret, Tolerance } from "./fields.server"

/** Gateways and their accounts. */
export const gatewayFields = {
  GATEWAYS: Gateways.optional().meta({
    description: `Payment modules, joined by hyphens; the first is the default. They are ${gatewayIds.map((id) => `\`${id}\``).join(", ")}`,
    default: "all with the sandbox, else `offshore`",
  }),
  DRAINED_GATEWAYS: Gateways.optional().meta({
    description: "Payment modules that take no new orders; callbacks and polls of existing payments continue",
  }),
  PAYMENT_TOLERANCE: Tolerance.default({}).meta({
    description: "Accepted shortfall in percent by gateway: `coinbase:0.5,offshore:1`",
    default: "none",
  }),
  OFFSHORE_MODE: z
    .enum(["api", "link"])
    .default("api")
    .meta({ description: "How payments are created: by an API call, or by a signed link without a call" }),
  OFFSHORE_URL: Origin.optional().meta({
    description: "Base URL of the gateway's API or links",
    default: "the sandbox",
  }),
  OFFSHORE_CHECKOUT_ORIGIN: Origin.optional().meta({
    description: "Origin of its payment page, if different",
    default: "origin of `OFFSHORE_URL`",
  }),
  OFFSHORE_MERCHANT: z
    .string()
    .max(200)
    .optional()
    .meta({ description: "For `link`: merchant id at the gateway", default: "the sandbox's" }),
  OFFSHORE_LINK_SECRET: z
    .string()
    .optional()
    .meta({ description: "For `link`: the secret that signs links", default: "the sandbox's" }),
  OFFSHORE_CALLBACK_SECRET: List.pipe(z.array(SigningSecret).nonempty()).optional().meta({
    description: "`whsec_…` secrets that sign its callbacks, separated by commas for rotation",
    default: "the sandbox's",
  }),
  COINBASE_URL: Origin.optional().meta({
    description: "Base URL of the Checkouts API",
    default: "Coinbase, or the sandbox",
  }),
  COINBASE_KEY_ID: z
    .string()
    .optional()
    .meta({ description: "Name of an API key", default: "the sandbox's" }),
  COINBASE_KEY_SECRET: z
    .string()
    .optional()
    .meta({ description: "Private key of that API key", default: "the sandbox's" }),
  COINBASE_WEBHOOK_SECRET: Secrets.optional().meta({
    description: "Secrets that sign its callbacks, separated by commas for rotation",
    default: "the sandbox's",
  }),
  BTCPAY_URL: Origin.optional().meta({
    description: "Public base URL of a BTCPay Server",
    default: "the sandbox",
  }),
  BTCPAY_STORE: z.string().optional().meta({ description: "Id of the store", default: "the sandbox's" }),
  BTCPAY_KEY: z.string().optional().meta({ description: "API key for the store", default: "the sandbox's" }),
  BTCPAY_WEBHOOK_SECRET: Secrets.optional().meta({
    description: "Secrets of the store's webhooks, separated by commas for rotation",
    default: "the sandbox's",
  }),
  CRYPTOMUS_URL: Origin.optional().meta({
    description: "Base URL of its API; `https://api.heleket.com/v1` is compatible",
    default: "`https://api.cryptomus.com/v1`, or the sandbox",
  }),
  CRYPTOMUS_CHECKOUT_ORIGIN: Origin.optional().meta({
    description: "Origin of its payment pages; `https://pay.heleket.com` for Heleket",
    default: "`https://pay.cryptomus.com`, or the sandbox",
  }),
  CRYPTOMUS_MERCHANT: z
    .string()
    .optional()
    .meta({ description: "The merchant's UUID", default: "the sandbox's" }),
  CRYPTOMUS_PAYMENT_KEY: z
    .string()
    .optional()
    .meta({ description: "The merchant's API key for payments", default: "the sandbox's" }),
  CRYPTOMUS_WEBHOOK_IPS: List.pipe(z.array(z.union([z.ipv4(), z.ipv6()], "must be an IP address")).nonempty())
    .optional()
    .meta({
      description:
        "Allowed client addresses of its callbacks, separated by commas (Cryptomus: `91.227.144.54`)",
      default: "any",
    }),
}
