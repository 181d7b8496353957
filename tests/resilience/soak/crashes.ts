import { integer, noBias, sample } from "fast-check"
import { freshDatabase, startPostgres } from "../../support/db/postgres"
import { startShop, type TestServer } from "../../support/server/server-process"
import { startTwoInstances } from "../../support/server/two-instances"
import { openPanel, PANEL_SECRET } from "../faults/stateful-panel"
import { type Outage, type Survived, surviveCrashes } from "./crash-under-load"
import type { Part, StageRun, StageStats } from "./soak-stage"

const CRASHES_A_TURN = 5
const env = { UPSTREAM_TIMEOUT_MS: "2000" }

/** Kills busy servers, instances and databases, in rotation. */
export const crashes: Part = {
  name: "crashes",
  async run(stageRun) {
    const cluster = await startPostgres()
    try {
      const databaseUrl = await freshDatabase(cluster.url)
      const onSqlite = await startShop({ env })
      const onPostgres = await startShop({ env: { ...env, DATABASE_URL: databaseUrl } })
      const two = await startTwo(await freshDatabase(cluster.url))
      const survived = await runInRotation(stageRun, [
        (moments, round) => surviveCrashes(onSqlite, { broken: killed(onSqlite), moments, round }),
        (moments, round) =>
          surviveCrashes({ ...onPostgres, databaseUrl }, { broken: () => cluster.crash(), moments, round }),
        (moments, round) => surviveCrashes(two.shop, { broken: two.killInTurn, moments, round }),
      ])
      await Promise.all([onSqlite.stop(), onPostgres.stop(), two.stop()])
      return figuresOf(survived)
    } finally {
      await cluster.stop()
    }
  },
}

function killed(shop: TestServer) {
  return (outage: Outage) =>
    outage(async () => {
      await shop.kill9()
      await shop.restart()
    })
}

/** Two instances on one PostgreSQL, with a panel that shows whether both set up the same service. */
async function startTwo(databaseUrl: string) {
  const panel = await openPanel()
  const two = await startTwoInstances(databaseUrl, {
    ...env,
    PROVISIONER: "webhook",
    PROVISIONER_URL: panel.origin,
    PROVISIONER_SECRET: PANEL_SECRET,
  })
  const { instances, provider, balancer } = two
  let kills = 0
  return {
    shop: {
      url: balancer.url,
      sandboxUrl: provider.sandboxUrl,
      dataDir: instances[0].dataDir,
      sandboxDir: provider.dataDir,
      databaseUrl,
      panelLines: panel.lines,
      answeredBy: () => instances.map((it) => it.logLines().filter(isVisit).length),
    },
    /** Only connections to the instance that is killed may break: the other one answers until it is back. */
    async killInTurn(outage: Outage) {
      const instance = kills++ % 2 === 0 ? instances[0] : instances[1]
      await outage(() => instance.kill9())
      await instance.restart()
    },
    async stop() {
      await two.stop()
      await panel.close()
    },
  }
}

/** Whether a log line is a request of a buyer, not of a health check. */
function isVisit({ msg, path }: { msg?: unknown; path?: unknown }): boolean {
  return msg === "request completed" && typeof path === "string" && !path.startsWith("/checkout/api/")
}

type Try = (moments: readonly number[], round: number) => Promise<Survived>

/** Tries each once, and goes on in rotation until the time is up. */
async function runInRotation({ until, seed }: StageRun, tries: readonly Try[]): Promise<readonly Survived[]> {
  const survived: Survived[] = []
  const moment = noBias(integer({ min: 20, max: 800 }))
  do {
    for (const once of tries) {
      const round = survived.length
      survived.push(await once(sample(moment, { seed: seed + round, numRuns: CRASHES_A_TURN }), round))
    }
  } while (Date.now() < until)
  return survived
}

function figuresOf(survived: readonly Survived[]): StageStats {
  const sum = (of: (it: Survived) => number) => survived.reduce((all, it) => all + of(it), 0)
  const missing = sum(({ buyers, held }) => buyers - held)
  return {
    tried: {
      "crashes survived": sum((it) => it.crashes),
      "purchases held": sum((it) => it.held),
      "orders acknowledged": sum((it) => it.seen.orders),
      "credentials compared": sum((it) => it.seen.access),
      "new connections": sum((it) => it.seen.connections),
    },
    violations: [
      ...new Set(survived.flatMap((it) => [...it.violations, ...it.late])),
      ...(missing > 0 ? [`${missing} who had to get their access did not`] : []),
    ],
  }
}
