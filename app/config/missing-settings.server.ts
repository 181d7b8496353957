import type { GatewayId } from "~/domain/gateway-id"
import type { Config } from "./environment.server"

type Need = { readonly isMissing: (config: Config) => boolean; readonly words: string }

function isOpen({ BILLING, GATEWAYS, GATEWAYS_DRAIN }: Config, id: GatewayId): boolean {
  if (BILLING === "remote") return false
  return GATEWAYS.includes(id) || GATEWAYS_DRAIN.includes(id)
}

const needs: readonly Need[] = [
  {
    isMissing: ({ GATEWAYS }) => GATEWAYS.length === 0,
    words: "GATEWAYS: at least one that is not in GATEWAYS_DRAIN",
  },
  {
    isMissing: (config) => !config.sandbox && isOpen(config, "offshore") && !config.OFFSHORE_URL,
    words: "OFFSHORE_URL: the address of the payment gateway (or SANDBOX=on to try things out)",
  },
  {
    isMissing: ({ OFFSHORE_URL, OFFSHORE_CALLBACK_SECRET }) => !!OFFSHORE_URL && !OFFSHORE_CALLBACK_SECRET,
    words: "OFFSHORE_CALLBACK_SECRET: the secret with which the gateway signs its callbacks",
  },
  {
    isMissing: (config) => linksToGateway(config) && !config.OFFSHORE_MERCHANT,
    words:
      "OFFSHORE_MERCHANT: the shop's name at the gateway, which stands in every link (OFFSHORE_MODE=link)",
  },
  {
    isMissing: (config) => linksToGateway(config) && !config.OFFSHORE_LINK_SECRET,
    words: "OFFSHORE_LINK_SECRET: the secret with which the shop signs its links (OFFSHORE_MODE=link)",
  },
  ...(["COINBASE_KEY_ID", "COINBASE_KEY_SECRET", "COINBASE_WEBHOOK_SECRET"] as const).map((name) => ({
    isMissing: (config: Config) => !config.sandbox && isOpen(config, "coinbase") && !config[name],
    words: `${name}: Coinbase is among the GATEWAYS`,
  })),
  ...(["BTCPAY_URL", "BTCPAY_STORE", "BTCPAY_KEY", "BTCPAY_WEBHOOK_SECRET"] as const).map((name) => ({
    isMissing: (config: Config) =>
      (!config.sandbox || !!config.BTCPAY_URL) && isOpen(config, "btcpay") && !config[name],
    words: `${name}: BTCPay is among the GATEWAYS`,
  })),
  ...(["BILLING_URL", "BILLING_API_KEY"] as const).map((name) => ({
    isMissing: (config: Config) => config.BILLING === "remote" && !config[name],
    words: `${name}: the books are kept by another server (BILLING=remote)`,
  })),
  ...(["WHMCS_URL", "WHMCS_IDENTIFIER", "WHMCS_SECRET", "WHMCS_PLANS"] as const).map((name) => ({
    isMissing: (config: Config) => config.BILLING === "whmcs" && !config[name],
    words: `${name}: the books are kept by WHMCS (BILLING=whmcs)`,
  })),
  {
    isMissing: ({ BILLING, PROVISIONER }) => BILLING === "embedded" && PROVISIONER === "billing",
    words: "PROVISIONER: local or webhook, since the books are our own and make no lines",
  },
  ...(["CRYPTOMUS_MERCHANT", "CRYPTOMUS_PAYMENT_KEY"] as const).map((name) => ({
    isMissing: (config: Config) =>
      (!config.sandbox || !!config.CRYPTOMUS_URL) && isOpen(config, "cryptomusgateway") && !config[name],
    words: `${name}: Cryptomus is among the GATEWAYS`,
  })),
  {
    isMissing: ({ ANALYTICS_URL, ANALYTICS_DATA }) => !!ANALYTICS_DATA && !ANALYTICS_URL,
    words: "ANALYTICS_URL: the address of the script that ANALYTICS_DATA is for",
  },
  {
    isMissing: ({ loopback, SESSION_SECRETS }) => !loopback && !SESSION_SECRETS,
    words: "SESSION_SECRETS: one or more random texts of 32 characters or more, separated by commas",
  },
  {
    isMissing: ({ PROVISIONER, PROVISIONER_URL }) => PROVISIONER === "webhook" && !PROVISIONER_URL,
    words: "PROVISIONER_URL: the address of the panel that makes lines",
  },
  {
    isMissing: ({ PROVISIONER, PROVISIONER_SECRET }) => PROVISIONER === "webhook" && !PROVISIONER_SECRET,
    words: "PROVISIONER_SECRET: the whsec_… secret with which calls to the panel are signed",
  },
  {
    isMissing: ({ COUNTRY_SOURCE, COUNTRY_URL }) => COUNTRY_SOURCE === "online" && !COUNTRY_URL,
    words: "COUNTRY_URL: the address of the country service, with {ip} where the client's address goes",
  },
]

/** The sandbox has an account for the shop; another gateway must be told whose links they are. */
function linksToGateway({ OFFSHORE_MODE, OFFSHORE_URL }: Config): boolean {
  return OFFSHORE_MODE === "link" && !!OFFSHORE_URL
}

/** What a shop of this kind must decide for itself and has not: each variable by name, with what it is for. */
export function missingSettings(config: Config): readonly string[] {
  return needs.filter(({ isMissing }) => isMissing(config)).map(({ words }) => words)
}
