import { describe, expect, test } from "vitest"
import { plan } from "../../../../tests/contracts/billing/billing-fixtures"
import { openMirrorUnderTest } from "../../../../tests/contracts/billing/mirror"
import { remoteSettings } from "../../../../tests/fakes/legacy-billing-fixtures"
import { engines, openTemporaryDatabase } from "../../../../tests/fixtures/temporary-database"
import { openRemote } from "../remote/remote.server"

describe.each(engines)("the catalogue of external billing on %s", (engine) => {
  test("has a product once that is listed twice, also after a restart", async () => {
    const database = await openTemporaryDatabase(engine)
    const listed = [plan, { ...plan, id: "8" }, { ...plan, name: "The same again" }]
    const mirror = await openMirrorUnderTest(
      (local) => ({
        ...openRemote({ ...remoteSettings, ...local, url: "https://billing.example.test" }),
        plans: async () => listed,
        resellerPlans: async () => [],
      }),
      { databaseUrl: database.url },
    )
    const once = [
      { id: plan.id, name: plan.name },
      { id: "8", name: plan.name },
    ]
    expect(await mirror.billing.plans()).toMatchObject(once)
    expect(await mirror.lastCatalogueSnapshot.plans()).toMatchObject(once)
    await mirror.close()
    await database.close()
  })
})
