import { openDatabase } from "~/billing/embedded/db/database.server"
import { migrate } from "~/billing/embedded/db/migrate.server"
import { freshDatabase } from "./postgres"

/* The migrations run once per worker and cluster; a copy of the result takes less than their time. */
const templates = new Map<string, Promise<string>>()

/** Creates an empty database with the latest schema in a cluster and returns its URL. */
export async function freshMigratedDatabase(clusterUrl: string): Promise<string> {
  const template = templates.get(clusterUrl) ?? createTemplate(clusterUrl)
  templates.set(clusterUrl, template)
  return freshDatabase(clusterUrl, await template)
}

async function createTemplate(clusterUrl: string): Promise<string> {
  const url = await freshDatabase(clusterUrl)
  const db = openDatabase({ url, timeoutMs: 10_000 })
  await migrate(db)
  await db.destroy()
  return new URL(url).pathname.slice(1)
}
