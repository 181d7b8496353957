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
import type { GatewayId } from "./domain/gateway-id"
import type { Gateway } from "./gateways/gateway"
import { openOffshore } from "./gateways/offshore.server"
import { type Sandbox, startSandbox } from "./gateways/sandbox/sandbox.server"
import { localSecrets } from "./local-secrets.server"
import { localProvisioner } from "./provisioning/local/local.server"
import type { Services, Shop } from "./services.server"
import { sealWith } from "./session-seal.server"

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
    provisioner: localProvisioner({ streamUrl: config.STREAM_URL, channelsFile: config.CHANNELS_FILE }),
    sessionSeal: sealWith(config.SESSION_SECRETS ?? [localSecrets(config.DATA_DIR).session], "session"),
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

const openGateway: Record<GatewayId, (config: Config, sandbox: Sandbox | null) => Gateway> = {
  offshore: (config, sandbox) =>
    openOffshore({
      url: config.OFFSHORE_URL ?? `${sandbox?.origin}/offshore`,
      payOrigin: config.OFFSHORE_PAY_ORIGIN,
      callbackSecrets: callbackSecrets(config),
      timeoutMs: config.NEIGHBOUR_TIMEOUT_MS,
    }),
}

function openSandbox(config: Config, log: Logger): Promise<Sandbox> {
  return startSandbox({
    host: config.HOST,
    port: config.SANDBOX_PORT,
    file: join(config.DATA_DIR, "sandbox.db"),
    callbackSecret: callbackSecrets(config)[0] ?? "",
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
  }
}
