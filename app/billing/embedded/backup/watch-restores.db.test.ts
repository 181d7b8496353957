import { afterAll, beforeAll, describe, expect, test } from "vitest"
import {
  asFile,
  engines,
  fill,
  linesOf,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../../tests/fixtures/temporary-database"
import { openDatabase } from "../db/database.server"
import { restore } from "./restore.server"
import { watchRestores } from "./watch-restores.server"

describe.each(engines)("on %s", (engine) => {
  let admin: TemporaryDatabase
  let shop: ReturnType<typeof openDatabase>
  beforeAll(async () => {
    admin = await openTemporaryDatabase(engine)
    await fill(admin)
    shop = openDatabase({ url: admin.url, timeoutMs: 10_000 })
  })
  afterAll(async () => {
    await shop.destroy()
    await admin.close()
  })

  test("every request that was running during a restore learns of it, and no later one", async () => {
    const watch = watchRestores({ db: shop })
    expect(await watch()()).toBe(false)
    const running = [watch(), watch()]
    await restore(admin, asFile(await linesOf(admin)), { replace: true })
    for (const wasRestored of running) expect(await wasRestored()).toBe(true)
    expect(await watch()()).toBe(false)
  })

  test("a database that goes away during a request was not restored", async () => {
    const leaving = openDatabase({ url: admin.url, timeoutMs: 10_000 })
    const watch = watchRestores({ db: leaving })
    expect(await watch()()).toBe(false)
    const wasRestored = watch()
    await leaving.destroy()
    expect(await wasRestored()).toBe(false)
  })
})
