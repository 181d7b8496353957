import { randomBytes, randomInt } from "node:crypto"
import { mkdirSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Logger } from "pino"
import { cachedCatalogue } from "./billing/cached-catalogue.server"
import { readCatalogueFile } from "./billing/embedded/catalogue-file"
import demonstration from "./billing/embedded/demonstration-catalogue.json?raw"
import { type EmbeddedBooks, openEmbeddedBooks } from "./billing/embedded/open-embedded.server"
import type { Config } from "./config.server"
import { BASE } from "./domain/base-path"
import { UNKNOWN_COUNTRY } from "./domain/country"
import type { GatewayId } from "./domain/gateway-id"
import { openCoinbase } from "./gateways/coinbase.server"
import type { CoinbaseKey } from "./gateways/coinbase-key.server"
import type { Gateway } from "./gateways/gateway"
import { openOffshore } from "./gateways/offshore.server"
import { type Sandbox, startSandbox } from "./gateways/sandbox/sandbox.server"
import type { CountryLookup } from "./geo/country-lookup"
import { headerCountry } from "./geo/header.server"
import { onlineCountry } from "./geo/online.server"
import { rememberedLookup } from "./geo/remembered-lookup.server"
import { openCountryTable } from "./geo/table.server"
import { publicHalf } from "./local-account.server"
import { localSecrets, secretsOf } from "./local-secrets.server"
import { localProvisioner } from "./provisioning/local/local.server"
import type { Provisioner } from "./provisioning/provisioner"
import { webhookProvisioner } from "./provisioning/webhook/webhook.server"
import { rateLimits } from "./rate-limits.server"
import type { Services, Shop } from "./services.server"
import { sealWith } from "./session-seal.server"
import { readShopFile } from "./shop-file.server"
import { signWith } from "./signature.server"

export type Wiring = {
  readonly services: Services
  readonly books: EmbeddedBooks
  readonly sandbox: Sandbox | null
  /** Who looks after the outbox says how to wake it. */
  onWake(wake: () => void): void
  close(): Promise<void>
}

const now = Date.now
/** 128 random bits, in letters that every gateway takes as a reference. */
const newId = () => randomBytes(16).toString("base64url")

/** The only module that knows which adapter stands behind which port. Throws in words when a neighbour is missing. */
export async function wire(config: Config, log: Logger): Promise<Wiring> {
  mkdirSync(config.DATA_DIR, { recursive: true })
  const books = await openBooks(config)
  const sandbox = config.sandbox ? await openSandbox(config, log) : null
  let wakeJobs = () => {}
  const services: Services = {
    ...{ now, newId, log },
    shop: shopOf(config),
    ...{ billing: books.billing, till: books.till, outbox: books.outbox, healthy: books.healthy },
    catalogue: cachedCatalogue(books.billing),
    gateways: new Map(config.GATEWAYS.map((id) => [id, openGateway[id](config, sandbox)])),
    provisioner: openProvisioner(config),
    countryOf: openCountryLookup[config.COUNTRY_SOURCE](config, log),
    market: { country: UNKNOWN_COUNTRY, currency: config.CURRENCY },
    rateLimits: rateLimits(),
    sessionSeal: sealWith(secretsOf(config), "session"),
    signer: signWith(secretsOf(config), "links"),
    draw: (below) => randomInt(below),
    wakeJobs: () => wakeJobs(),
  }
  return {
    ...{ services, books, sandbox },
    onWake: (wake) => {
      wakeJobs = wake
    },
    close: async () => {
      await sandbox?.close()
      await books.close()
    },
  }
}

/** Opens the books alone: what the operator's command line needs. */
export function openBooks(config: Config): Promise<EmbeddedBooks> {
  return openEmbeddedBooks({
    databaseUrl: config.DATABASE_URL ?? join(config.DATA_DIR, "books.db"),
    timeoutMs: config.NEIGHBOUR_TIMEOUT_MS,
    catalogue: async () =>
      readCatalogueFile(
        config.CATALOGUE_FILE ? await readFile(config.CATALOGUE_FILE, "utf8") : demonstration,
      ),
    newId,
  })
}

function openProvisioner(config: Config): Provisioner {
  const { PROVISIONER, PROVISIONER_URL: url = "", PROVISIONER_SECRET: secret = "" } = config
  if (PROVISIONER === "webhook")
    return webhookProvisioner({ url, secret, now, timeoutMs: config.NEIGHBOUR_TIMEOUT_MS })
  return localProvisioner({ streamUrl: config.STREAM_URL, channelsFile: config.CHANNELS_FILE })
}

const openCountryLookup: Record<Config["COUNTRY_SOURCE"], (config: Config, log: Logger) => CountryLookup> = {
  table: ({ COUNTRY_TABLE }, log) => rememberedLookup(openCountryTable(COUNTRY_TABLE), { now, log }),
  online: ({ COUNTRY_URL: url = "", NEIGHBOUR_TIMEOUT_MS: timeoutMs }, log) =>
    rememberedLookup(onlineCountry({ url, timeoutMs, now }), { now, log }),
  header: ({ COUNTRY_HEADER }) => headerCountry(COUNTRY_HEADER),
  off: () => async () => UNKNOWN_COUNTRY,
}

const openGateway: Record<GatewayId, (config: Config, sandbox: Sandbox | null) => Gateway> = {
  offshore: (config, sandbox) =>
    openOffshore({
      url: config.OFFSHORE_URL ?? `${sandbox?.origin}/offshore`,
      payOrigin: config.OFFSHORE_PAY_ORIGIN,
      callbackSecrets: callbackSecrets(config),
      timeoutMs: config.NEIGHBOUR_TIMEOUT_MS,
    }),
  coinbase: (config, sandbox) =>
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

function openSandbox(config: Config, log: Logger): Promise<Sandbox> {
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

function shopOf(config: Config): Shop {
  return {
    name: config.SHOP_NAME,
    publicUrl: config.PUBLIC_URL,
    currency: config.CURRENCY,
    timeZone: config.TIME_ZONE,
    defaultPlan: config.DEFAULT_PID ?? null,
    testMode: config.sandbox,
    defaultCountry: config.DEFAULT_COUNTRY,
    fallbackAddress: config.FALLBACK_ADDRESS,
    fraudCheck: config.FRAUD_CHECK === "on",
    trustEmailLinks: config.TRUST_EMAIL_LINKS === "on",
    ...readShopFile(config.SHOP_FILE),
  }
}
