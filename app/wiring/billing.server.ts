import type { Logger } from "pino"
import type { Catalogue } from "~/billing/catalogue/catalogue"
import { InvalidCatalogueError, readCatalogueFile } from "~/billing/embedded/catalogue/catalogue-file"
import demonstration from "~/billing/embedded/catalogue/demo-catalogue.json?raw"
import { type EmbeddedBilling, openEmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import type { ExternalBilling } from "~/billing/external/external-billing"
import type { CustomerLookup, MirrorLedger } from "~/billing/external/mirror/open-mirror.server"
import type { RemoteSettings } from "~/billing/external/remote/remote.server"
import type { WhmcsSettings } from "~/billing/external/whmcs/settings"
import { openIn, servesApi } from "~/config/config.server"
import type { Config } from "~/config/environment.server"
import { readSettingFile } from "~/config/setting-file.server"
import type { Instant } from "~/domain/calendar"
import { checkDatabaseFile } from "./data-folder.server"
import { databaseFile } from "./database-file.server"
import { mailPolicyOf } from "./mail.server"
import { newId } from "./new-id.server"
import { makePrivateFile, restrictToOwner } from "./private-files.server"
import { documentPolicyOf, type SellerTexts, taxPolicyOf } from "./tax.server"
import { termPolicyOf } from "./terms.server"

export type OpenedBilling = {
  readonly billing: EmbeddedBilling
  /** Last snapshot of an external catalogue. */
  readonly lastKnown: Partial<Catalogue>
  /** The external billing and its mirror; null with embedded billing. */
  readonly mirror: MirrorLedger | null
}

/** Throws if the data folder is missing, or its database belongs to another program. */
function privateDatabase({ DATA_DIR }: Config): string {
  const file = databaseFile(DATA_DIR)
  checkDatabaseFile(DATA_DIR)
  makePrivateFile(file)
  return file
}

type ExternalBackend = Exclude<Config["BILLING"], "embedded">
type Surroundings = {
  readonly now: () => Instant
  readonly log: Logger
  /** The seller that documents have: as operators have set it last. */
  readonly sellerTexts: () => SellerTexts
  /** See `DatabaseSettings`. */
  readonly onFlushFailed?: (error: Error) => void
}

/** Opens the configured billing backend: embedded, or the mirror of an external one. Throws if it cannot be opened. */
export async function openBilling(config: Config, surroundings: Surroundings): Promise<OpenedBilling> {
  const { UPSTREAM_TIMEOUT_MS: timeoutMs } = config
  for (const reason of restrictToOwner(config.DATA_DIR)) {
    surroundings.log.warn({ reason }, "data directory readable by others")
  }
  const databaseUrl = config.DATABASE_URL ?? privateDatabase(config)
  const { now, onFlushFailed } = surroundings
  const terms = termPolicyOf(config)
  const webhooks = { always: servesApi(config), creditsLow: config.MAIL_CREDITS_LOW }
  const mail = mailPolicyOf(config)
  const database = { databaseUrl, timeoutMs, newId, now, onFlushFailed, mail, terms, webhooks }
  if (config.BILLING === "embedded") {
    const billing = await openEmbeddedBilling({
      ...database,
      tax: taxPolicyOf(config),
      documents: documentPolicyOf(config, surroundings.sellerTexts),
      catalogue: () => startingCatalogue(config),
    })
    return { billing, lastKnown: {}, mirror: null }
  }
  // External billing is loaded where it is configured only.
  const { openMirrorLedger } = await import("~/billing/external/mirror/open-mirror.server")
  const open = await loadExternalBilling[config.BILLING]()
  const mirror = await openMirrorLedger({
    ...database,
    ...surroundings,
    // A server with the billing API takes the payments itself.
    isCreditExternal: config.BILLING === "remote",
    hosts: hostsIn(config),
    openExternalBilling: (local) => open(config, { ...surroundings, ...local }),
  })
  return { billing: mirror, lastKnown: mirror.lastCatalogueSnapshot, mirror }
}

type OpenExternalBilling = (config: Config, local: Surroundings & CustomerLookup) => ExternalBilling

const loadExternalBilling: Record<ExternalBackend, () => Promise<OpenExternalBilling>> = {
  remote: async () => {
    const { openRemote } = await import("~/billing/external/remote/remote.server")
    return (config, local) => openRemote(remoteSettings(config, local))
  },
  whmcs: async () => {
    const { openWhmcs } = await import("~/billing/external/whmcs/whmcs.server")
    return (config, local) => openWhmcs(whmcsSettings(config, local))
  },
}

function remoteSettings(config: Config, { emailOf, log }: Surroundings & CustomerLookup): RemoteSettings {
  return {
    url: config.BILLING_URL ?? "",
    keys: config.BILLING_API_KEY ?? [],
    timeoutMs: config.BILLING_TIMEOUT_MS,
    maps: config.BILLING_MAP_ENCODING,
    currency: config.CURRENCY,
    resellerCredits: config.RESELLER_PLAN_CREDITS,
    payOrigins: config.BILLING_CHECKOUT_ORIGINS,
    timeZone: config.TIME_ZONE,
    emailOf,
    log,
  }
}

function whmcsSettings(config: Config, { log }: Surroundings): WhmcsSettings {
  return {
    log,
    currency: config.CURRENCY,
    url: config.WHMCS_URL ?? "",
    timeoutMs: config.BILLING_TIMEOUT_MS,
    identifier: config.WHMCS_IDENTIFIER ?? "",
    secret: config.WHMCS_SECRET ?? "",
    accessKey: config.WHMCS_ACCESS_KEY,
    plans: config.WHMCS_PLANS ?? { ids: [] },
    resellerPlans: config.WHMCS_RESELLER_PLANS,
    resellerCredits: config.RESELLER_PLAN_CREDITS,
    fields: {
      username: config.WHMCS_FIELD_USERNAME,
      password: config.WHMCS_FIELD_PASSWORD,
      mac: config.WHMCS_FIELD_MAC,
    },
    timeZone: config.WHMCS_TIME_ZONE,
    dueTimeZone: config.TIME_ZONE,
    restart: config.WHMCS_RESTART_COMMAND,
    pushMac: config.WHMCS_MAC_UPDATE_COMMAND,
    sendsMail: config.MAIL_ORDERS === "off",
    countClicks: config.WHMCS_TRACK_AFFILIATE_CLICKS === "on",
    gatewayIds: openIn(config),
    hosts: hostsIn(config),
  }
}

function hostsIn({ STREAM_URL, PANEL_URL }: Config) {
  return { plan: STREAM_URL ?? null, reseller: PANEL_URL ?? null }
}

/** Catalogue of a new database. Throws an `Error` that names variable and file. */
async function startingCatalogue({ CATALOGUE_FILE: file }: Config) {
  if (file === undefined) return readCatalogueFile(demonstration)
  const text = readSettingFile("CATALOGUE_FILE", file).toString("utf8")
  try {
    return readCatalogueFile(text)
  } catch (cause) {
    if (!(cause instanceof InvalidCatalogueError)) throw cause
    throw new Error(`Invalid CATALOGUE_FILE ${file}: ${cause.message}`, { cause })
  }
}
