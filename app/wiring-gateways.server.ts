import { join } from "node:path"
import type { Logger } from "pino"
import type { Config } from "./config.server"
import { BASE } from "./domain/base-path"
import type { Instant } from "./domain/calendar"
import type { GatewayId } from "./domain/gateway-id"
import { openCoinbase } from "./gateways/coinbase.server"
import type { CoinbaseKey } from "./gateways/coinbase-key.server"
import type { Gateway } from "./gateways/gateway"
import { openOffshore } from "./gateways/offshore.server"
import { type Sandbox, startSandbox } from "./gateways/sandbox/sandbox.server"
import { publicHalf } from "./local-account.server"
import { localSecrets } from "./local-secrets.server"

type Beside = { readonly now: () => Instant; readonly sandbox: Sandbox | null }

/** Payment modules by name, each at its provider or, where there is one, at the sandbox. */
export const openGateway: Record<GatewayId, (config: Config, beside: Beside) => Gateway> = {
  offshore: (config, { sandbox }) =>
    openOffshore({
      url: config.OFFSHORE_URL ?? `${sandbox?.origin}/offshore`,
      payOrigin: config.OFFSHORE_PAY_ORIGIN,
      callbackSecrets: callbackSecrets(config),
      timeoutMs: config.NEIGHBOUR_TIMEOUT_MS,
    }),
  coinbase: (config, { sandbox, now }) =>
    openCoinbase({
      url: config.COINBASE_URL ?? (sandbox ? `${sandbox.origin}${SANDBOX_CHECKOUTS}` : CHECKOUTS),
      ...(!sandbox && { payOrigin: "https://payments.coinbase.com" }),
      ...coinbaseKeys(config),
      ...{ now, timeoutMs: config.NEIGHBOUR_TIMEOUT_MS },
    }),
}

const CHECKOUTS = "https://business.coinbase.com/api/v1/checkouts"
const SANDBOX_CHECKOUTS = "/coinbase/api/v1/checkouts"

/** The operator's keys; where the sandbox answers in the provider's place, the account the shop has there. */
function coinbaseKeys(config: Config): { key: CoinbaseKey; webhookSecrets: readonly string[] } {
  const { COINBASE_URL, COINBASE_KEY_ID: id = "", COINBASE_KEY_SECRET: secret = "" } = config
  if (COINBASE_URL || !config.sandbox) {
    return { key: { id, secret }, webhookSecrets: config.COINBASE_WEBHOOK_SECRET ?? [] }
  }
  const local = localSecrets(config.DATA_DIR).coinbase
  return { key: { id: local.keyId, secret: local.keySecret }, webhookSecrets: [local.hookSecret] }
}

/** The provider for trying things out, with the shop's accounts at it. */
export function openSandbox(
  config: Config,
  { now, log }: { now: () => Instant; log: Logger },
): Promise<Sandbox> {
  const account = localSecrets(config.DATA_DIR).coinbase
  return startSandbox({
    host: config.HOST,
    port: config.SANDBOX_PORT,
    file: join(config.DATA_DIR, "sandbox.db"),
    callbackSecret: callbackSecrets(config)[0] ?? "",
    coinbase: {
      keyId: account.keyId,
      publicKey: publicHalf(account),
      hookSecret: account.hookSecret,
      callbackUrl: `${config.PUBLIC_URL}${BASE}/api/payments/coinbase/callback`,
    },
    // It sends buyers and reports to this shop only, even where others can reach it.
    shops: [config.PUBLIC_URL],
    ...{ now, log: log.child({ from: "sandbox" }) },
  })
}

/** What the gateway signs its reports with; the sandbox has one of its own where the operator has set none. */
function callbackSecrets(config: Config): readonly string[] {
  return config.OFFSHORE_CALLBACK_SECRET ?? [localSecrets(config.DATA_DIR).sandboxCallback]
}
