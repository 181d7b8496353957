import type { GatewayId } from "~/domain/payments/gateway-id"
import type { Config } from "./environment.server"

type Need = { readonly isMissing: (config: Config) => boolean; readonly message: string }

function isOpen({ BILLING, GATEWAYS, DRAINED_GATEWAYS }: Config, id: GatewayId): boolean {
  if (BILLING === "remote") return false
  return GATEWAYS.includes(id) || DRAINED_GATEWAYS.includes(id)
}

const needs: readonly Need[] = [
  {
    isMissing: ({ GATEWAYS }) => GATEWAYS.length === 0,
    message: "GATEWAYS is invalid: at least one must not be in DRAINED_GATEWAYS",
  },
  {
    isMissing: (config) => !config.sandbox && isOpen(config, "offshore") && !config.OFFSHORE_URL,
    message: "OFFSHORE_URL is required: address of the payment gateway (or set SANDBOX=on for test payments)",
  },
  {
    isMissing: (config) =>
      (!!config.OFFSHORE_URL || (!config.sandbox && isOpen(config, "offshore"))) &&
      !config.OFFSHORE_CALLBACK_SECRET,
    message: "OFFSHORE_CALLBACK_SECRET is required: secret that signs the gateway's callbacks",
  },
  {
    isMissing: (config) => linksToGateway(config) && !config.OFFSHORE_MERCHANT,
    message: "OFFSHORE_MERCHANT is required with OFFSHORE_MODE=link: the shop's merchant name at the gateway",
  },
  {
    isMissing: (config) => linksToGateway(config) && !config.OFFSHORE_LINK_SECRET,
    message: "OFFSHORE_LINK_SECRET is required with OFFSHORE_MODE=link: secret that signs payment links",
  },
  ...(["COINBASE_KEY_ID", "COINBASE_KEY_SECRET", "COINBASE_WEBHOOK_SECRET"] as const).map((name) => ({
    isMissing: (config: Config) => !config.sandbox && isOpen(config, "coinbase") && !config[name],
    message: `${name} is required: coinbase is one of the GATEWAYS`,
  })),
  ...(["BTCPAY_URL", "BTCPAY_STORE", "BTCPAY_KEY", "BTCPAY_WEBHOOK_SECRET"] as const).map((name) => ({
    isMissing: (config: Config) =>
      (!config.sandbox || !!config.BTCPAY_URL) && isOpen(config, "btcpay") && !config[name],
    message: `${name} is required: btcpay is one of the GATEWAYS`,
  })),
  ...(["BILLING_URL", "BILLING_API_KEY"] as const).map((name) => ({
    isMissing: (config: Config) => config.BILLING === "remote" && !config[name],
    message: `${name} is required with BILLING=remote`,
  })),
  ...(["WHMCS_URL", "WHMCS_IDENTIFIER", "WHMCS_SECRET", "WHMCS_PLANS"] as const).map((name) => ({
    isMissing: (config: Config) => config.BILLING === "whmcs" && !config[name],
    message: `${name} is required with BILLING=whmcs`,
  })),
  {
    isMissing: ({ BILLING, PROVISIONER }) => BILLING === "embedded" && PROVISIONER === "billing",
    message: "PROVISIONER is invalid: with BILLING=embedded it must be local or webhook",
  },
  ...(["CRYPTOMUS_MERCHANT", "CRYPTOMUS_PAYMENT_KEY"] as const).map((name) => ({
    isMissing: (config: Config) =>
      (!config.sandbox || !!config.CRYPTOMUS_URL) && isOpen(config, "cryptomusgateway") && !config[name],
    message: `${name} is required: cryptomusgateway is one of the GATEWAYS`,
  })),
  {
    isMissing: ({ ANALYTICS_URL, ANALYTICS_DATA }) => !!ANALYTICS_DATA && !ANALYTICS_URL,
    message: "ANALYTICS_URL is required with ANALYTICS_DATA: address of the script",
  },
  {
    isMissing: ({ loopback, SESSION_SECRETS }) => !loopback && !SESSION_SECRETS,
    message: "SESSION_SECRETS is required: random secrets of at least 32 characters, separated by commas",
  },
  {
    isMissing: ({ PROVISIONER, PROVISIONER_URL }) => PROVISIONER === "webhook" && !PROVISIONER_URL,
    message: "PROVISIONER_URL is required with PROVISIONER=webhook: address of the panel",
  },
  {
    isMissing: ({ PROVISIONER, PROVISIONER_SECRET }) => PROVISIONER === "webhook" && !PROVISIONER_SECRET,
    message:
      "PROVISIONER_SECRET is required with PROVISIONER=webhook: whsec_… secret that signs calls to the panel",
  },
  {
    isMissing: ({ SMTP_URL, MAIL_FROM }) => !!SMTP_URL && !MAIL_FROM,
    message: "MAIL_FROM is required with SMTP_URL: sender of the shop's mail, as Shop <shop@example.com>",
  },
  {
    isMissing: ({ MAIL_DKIM_SELECTOR, MAIL_DKIM_KEY_FILE }) => !MAIL_DKIM_SELECTOR !== !MAIL_DKIM_KEY_FILE,
    message:
      "MAIL_DKIM_SELECTOR and MAIL_DKIM_KEY_FILE are required together: the DKIM key and its name in DNS",
  },
  {
    isMissing: ({ COUNTRY_SOURCE, COUNTRY_URL }) => COUNTRY_SOURCE === "online" && !COUNTRY_URL,
    message:
      "COUNTRY_URL is required with COUNTRY_SOURCE=online: address of the country service, with {ip} in it",
  },
]

/** Whether payment links go to a real offshore gateway, which needs the shop's account. The sandbox has one. */
function linksToGateway({ OFFSHORE_MODE, OFFSHORE_URL }: Config): boolean {
  return OFFSHORE_MODE === "link" && !!OFFSHORE_URL
}

/** One message for each required setting that is missing. */
export function missingSettings(config: Config): readonly string[] {
  return needs.filter(({ isMissing }) => isMissing(config)).map(({ message }) => message)
}
