import type { Config } from "~/config/environment.server"
import { gatewayCallbackUrl } from "~/domain/payments/gateway-callback-url"
import { localSecrets } from "./generated-secrets.server"
import { publicHalf } from "./sandbox-accounts.server"

/** The shop's account at the offshore gateway. Default: the sandbox's account. */
export function offshoreSettings(config: Config) {
  const isByLink = config.OFFSHORE_MODE === "link"
  return { callbackSecrets: callbackSecrets(config), ...(isByLink && { link: linkSettings(config) }) }
}

/** The operator's Coinbase keys, or the shop's account at the sandbox. */
export function coinbaseSettings(config: Config) {
  const { COINBASE_URL, COINBASE_KEY_ID: id = "", COINBASE_KEY_SECRET: secret = "" } = config
  if (COINBASE_URL || !config.sandbox) {
    return { key: { id, secret }, webhookSecrets: config.COINBASE_WEBHOOK_SECRET ?? [] }
  }
  const { keyId, keySecret, hookSecret } = localSecrets(config.DATA_DIR).coinbase
  return { key: { id: keyId, secret: keySecret }, webhookSecrets: [hookSecret] }
}

/** The operator's BTCPay store, or the shop's store at the sandbox. */
export function btcpaySettings(config: Config): {
  store: string
  key: string
  webhookSecrets: readonly string[]
} {
  const { BTCPAY_URL, BTCPAY_STORE: store = "", BTCPAY_KEY: key = "" } = config
  if (BTCPAY_URL || !config.sandbox) {
    return { store, key, webhookSecrets: config.BTCPAY_WEBHOOK_SECRET ?? [] }
  }
  const local = localSecrets(config.DATA_DIR).btcpay
  return { store: local.store, key: local.key, webhookSecrets: [local.webhookSecret] }
}

/** The operator's Cryptomus merchant and URL, or the shop's merchant at the sandbox. */
export function cryptomusSettings(config: Config, sandboxOrigin: string | null) {
  if (sandboxOrigin && !config.CRYPTOMUS_URL) {
    return { url: `${sandboxOrigin}/cryptomus/v1`, ...localSecrets(config.DATA_DIR).cryptomus }
  }
  return {
    url: config.CRYPTOMUS_URL ?? "https://api.cryptomus.com/v1",
    payOrigin: config.CRYPTOMUS_CHECKOUT_ORIGIN ?? "https://pay.cryptomus.com",
    merchant: config.CRYPTOMUS_MERCHANT ?? "",
    paymentKey: config.CRYPTOMUS_PAYMENT_KEY ?? "",
    webhookAddresses: config.CRYPTOMUS_WEBHOOK_IPS,
  }
}

/** The same accounts for the sandbox's side. */
export function sandboxSettings(config: Config) {
  const { coinbase, cryptomus, btcpay } = localSecrets(config.DATA_DIR)
  return {
    callbackSecret: callbackSecrets(config)[0] ?? "",
    offshoreLinks: {
      ...linkSettings(config),
      callbackUrl: gatewayCallbackUrl(config.PUBLIC_URL, "offshore"),
    },
    coinbase: {
      keyId: coinbase.keyId,
      publicKey: publicHalf(coinbase),
      hookSecret: coinbase.hookSecret,
      callbackUrl: gatewayCallbackUrl(config.PUBLIC_URL, "coinbase"),
    },
    cryptomus,
    btcpay: { ...btcpay, callbackUrl: gatewayCallbackUrl(config.PUBLIC_URL, "btcpay") },
  }
}

function callbackSecrets(config: Config): readonly string[] {
  return config.OFFSHORE_CALLBACK_SECRET ?? [localSecrets(config.DATA_DIR).sandboxCallback]
}

/** Account of payment links. A real gateway needs the operator's settings, which the start checks. */
function linkSettings({ OFFSHORE_MERCHANT, OFFSHORE_LINK_SECRET, DATA_DIR }: Config) {
  return {
    merchant: OFFSHORE_MERCHANT ?? "sandbox",
    secret: OFFSHORE_LINK_SECRET ?? localSecrets(DATA_DIR).sandboxLinks,
  }
}
