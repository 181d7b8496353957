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
import { UNKNOWN_COUNTRY } from "./domain/country"
import type { Sandbox } from "./gateways/sandbox/sandbox.server"
import type { CountryLookup } from "./geo/country-lookup"
import { headerCountry } from "./geo/header.server"
import { onlineCountry } from "./geo/online.server"
import { rememberedLookup } from "./geo/remembered-lookup.server"
import { openCountryTable } from "./geo/table.server"
import { secretsOf } from "./local-secrets.server"
import { localProvisioner } from "./provisioning/local/local.server"
import type { Provisioner } from "./provisioning/provisioner"
import { webhookProvisioner } from "./provisioning/webhook/webhook.server"
import { rateLimits } from "./rate-limits.server"
import type { Services, Shop } from "./services.server"
import { sealWith } from "./session-seal.server"
import { readShopFile } from "./shop-file.server"
import { signWith } from "./signature.server"
import { openGateways, openSandbox } from "./wiring-gateways.server"

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

/** With `wiring-gateways` the only module that knows which adapter stands behind which port. Throws in words when a neighbour is missing. */
export async function wire(config: Config, log: Logger): Promise<Wiring> {
  mkdirSync(config.DATA_DIR, { recursive: true })
  const books = await openBooks(config)
  const sandbox = config.sandbox ? await openSandbox(config, { now, log }) : null
  let wakeJobs = () => {}
  const services: Services = {
    ...{ now, newId, log },
    shop: shopOf(config),
    ...{ billing: books.billing, till: books.till, outbox: books.outbox, healthy: books.healthy },
    catalogue: cachedCatalogue(books.billing, { now, log }),
    offered: config.GATEWAYS,
    gateways: openGateways(config, { now, sandbox, log }),
    tolerance: config.PAYMENT_TOLERANCE,
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
  const {
    PROVISIONER_URL: url = "",
    PROVISIONER_SECRET: secret = "",
    NEIGHBOUR_TIMEOUT_MS: timeoutMs,
  } = config
  if (config.PROVISIONER === "webhook") return webhookProvisioner({ url, secret, now, timeoutMs })
  const { STREAM_URL: streamUrl, PANEL_URL: panelUrl, CHANNELS_FILE: channelsFile } = config
  return localProvisioner({ streamUrl, panelUrl, channelsFile })
}

const openCountryLookup: Record<Config["COUNTRY_SOURCE"], (config: Config, log: Logger) => CountryLookup> = {
  table: ({ COUNTRY_TABLE }, log) => rememberedLookup(openCountryTable(COUNTRY_TABLE), { now, log }),
  online: ({ COUNTRY_URL: url = "", NEIGHBOUR_TIMEOUT_MS: timeoutMs }, log) =>
    rememberedLookup(onlineCountry({ url, timeoutMs, now }), { now, log }),
  header: ({ COUNTRY_HEADER }) => headerCountry(COUNTRY_HEADER),
  off: () => async () => UNKNOWN_COUNTRY,
}

function shopOf(config: Config): Shop {
  return {
    name: config.SHOP_NAME,
    publicUrl: config.PUBLIC_URL,
    currency: config.CURRENCY,
    timeZone: config.TIME_ZONE,
    defaultPlan: config.DEFAULT_PID ?? null,
    defaultResellerPlan: config.DEFAULT_RESELLER_PID ?? null,
    newResellerPlan: config.NEW_RESELLER_PID ?? null,
    testMode: config.sandbox,
    defaultCountry: config.DEFAULT_COUNTRY,
    fallbackAddress: config.FALLBACK_ADDRESS,
    fraudCheck: config.FRAUD_CHECK === "on",
    trustEmailLinks: config.TRUST_EMAIL_LINKS === "on",
    ...readShopFile(config.SHOP_FILE),
  }
}
