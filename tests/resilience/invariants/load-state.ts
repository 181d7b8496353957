import { existsSync } from "node:fs"
import { join } from "node:path"
import { paymentsAtSandbox } from "./sandbox-payments"
import { rowsAt, rowsInFile } from "./stored-rows"
import type { PanelLine, SystemState } from "./system-state"

type Shop = {
  /** Folder of the database and of the sandbox's records. */
  readonly dataDir: string
  /** Database outside that folder. */
  readonly databaseUrl?: string
  /** Folder of the sandbox's records if another shop provides the sandbox. */
  readonly sandboxDir?: string
  readonly panel?: readonly PanelLine[]
  readonly meant?: ReadonlyMap<string, number>
  readonly now?: number
}

/** Loads the state of a shop's database and sandbox, whether they run or not. */
export async function loadSystemState(shop: Shop): Promise<SystemState> {
  const {
    dataDir,
    databaseUrl,
    sandboxDir = dataDir,
    panel = null,
    meant = new Map(),
    now = Date.now(),
  } = shop
  const record = join(sandboxDir, "sandbox.db")
  return {
    database: databaseUrl ? await rowsAt(databaseUrl) : rowsInFile(join(dataDir, "boxoffice.db")),
    gateways: existsSync(record) ? paymentsAtSandbox(record) : null,
    panel,
    meant,
    now,
  }
}
