import { integer, noBias, sample } from "fast-check"
import { freshDatabase, startPostgres } from "../../support/db/postgres"
import { startShop } from "../../support/server/server-process"
import { type Survived, surviveCrashes } from "./crash-under-load"
import type { Part, StageRun, StageStats } from "./soak-stage"

const CRASHES_A_TURN = 5

/** Kills busy servers and their database, alternately. */
export const crashes: Part = {
  name: "crashes",
  async run(stageRun) {
    const cluster = await startPostgres()
    try {
      const databaseUrl = await freshDatabase(cluster.url)
      const env = { UPSTREAM_TIMEOUT_MS: "2000" }
      const onSqlite = await startShop({ env })
      const onPostgres = await startShop({ env: { ...env, DATABASE_URL: databaseUrl } })
      const endShop = async () => {
        await onSqlite.kill9()
        await onSqlite.restart()
      }
      const survived = await runInRotation(stageRun, [
        (moments, at) => surviveCrashes(onSqlite, { broken: endShop, moments, round: at }),
        (moments, at) =>
          surviveCrashes(onPostgres, { broken: cluster.crash, moments, round: at, databaseUrl }),
      ])
      await Promise.all([onSqlite.stop(), onPostgres.stop()])
      return figuresOf(survived)
    } finally {
      await cluster.stop()
    }
  },
}

type Try = (moments: readonly number[], round: number) => Promise<Survived>

async function runInRotation({ until, seed }: StageRun, tries: readonly Try[]): Promise<readonly Survived[]> {
  const survived: Survived[] = []
  do {
    for (const once of tries) {
      const round = survived.length
      const moment = noBias(integer({ min: 20, max: 800 }))
      survived.push(await once(sample(moment, { seed: seed + round, numRuns: CRASHES_A_TURN }), round))
    }
  } while (Date.now() < until)
  return survived
}

function figuresOf(survived: readonly Survived[]): StageStats {
  const sum = (of: (it: Survived) => number) => survived.reduce((all, it) => all + of(it), 0)
  const missing = sum(({ buyers, held }) => buyers - held)
  return {
    tried: { "crashes survived": sum((it) => it.crashes), "purchases held": sum((it) => it.held) },
    violations: [
      ...new Set(survived.flatMap((it) => it.violations)),
      ...(missing > 0 ? [`${missing} who had to get their access did not`] : []),
    ],
  }
}
