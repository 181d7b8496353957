import { existsSync } from "node:fs"
import { join } from "node:path"
import { paymentsAtSandbox } from "./sandbox-payments"
import { rowsAt, rowsInFile } from "./stored-rows"
import type { PanelLine, SystemState } from "./system-state"

type Shop = {
  /** Where its books and its sandbox's record are. */
  readonly dataDir: string
  /** Its books, where they are not in that folder. */
  readonly databaseUrl?: string
  /** Where the sandbox it uses writes, if that is another shop's. */
  readonly sandboxDir?: string
  readonly panel?: readonly PanelLine[]
  readonly meant?: ReadonlyMap<string, number>
  readonly now?: number
}

/** What a shop's books and the sandbox's record say, whether they run or not. */
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
    ...{ panel, meant, now },
  }
}
