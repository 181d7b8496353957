import { z } from "zod"
import { Gateways, List, Origin, Tolerance } from "./fields.server"

/** Gateways and their accounts. The README documents these variables. */
export const gatewayFields = {
  GATEWAYS: Gateways.optional(),
  DRAINED_GATEWAYS: Gateways.optional(),
  PAYMENT_TOLERANCE: Tolerance.default({}),
  OFFSHORE_MODE: z.enum(["api", "link"]).default("api"),
  OFFSHORE_URL: Origin.optional(),
  OFFSHORE_CHECKOUT_ORIGIN: Origin.optional(),
  OFFSHORE_MERCHANT: z.string().max(200).optional(),
  OFFSHORE_LINK_SECRET: z.string().optional(),
  OFFSHORE_CALLBACK_SECRET: List.optional(),
  COINBASE_URL: Origin.optional(),
  COINBASE_KEY_ID: z.string().optional(),
  COINBASE_KEY_SECRET: z.string().optional(),
  COINBASE_WEBHOOK_SECRET: List.optional(),
  BTCPAY_URL: Origin.optional(),
  BTCPAY_STORE: z.string().optional(),
  BTCPAY_KEY: z.string().optional(),
  BTCPAY_WEBHOOK_SECRET: List.optional(),
  CRYPTOMUS_URL: Origin.optional(),
  CRYPTOMUS_CHECKOUT_ORIGIN: Origin.optional(),
  CRYPTOMUS_MERCHANT: z.string().optional(),
  CRYPTOMUS_PAYMENT_KEY: z.string().optional(),
  CRYPTOMUS_WEBHOOK_IPS: List.pipe(
    z.array(z.union([z.ipv4(), z.ipv6()], "must be an IP address")).nonempty(),
  ).optional(),
}
