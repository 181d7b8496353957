import { readdirSync, readFileSync } from "node:fs"
import { expect } from "playwright/test"
import { inProject } from "../../../scripts/setup/project-root.mjs"
import { operatorBrowser } from "../../fixtures/signed-in-operator"
import { measurable, openMemoryMeter } from "../../support/server/held-memory"
import { startShop } from "../../support/server/server-process"
import { test } from "../shop-test"

test.skip(process.platform !== "linux", "Only Linux reports the memory of a process in a file")

/** Files of the server with a text that only the console's pages have. */
function consoleFiles(): readonly string[] {
  const folder = inProject("build", "server")
  const files = readdirSync(folder).filter((it) => it.endsWith(".js"))
  return files.filter((it) => readFileSync(`${folder}/${it}`, "utf8").includes("You see how many are meant"))
}

test("a shop in whose console nobody is holds none of the console's code, and loads it with the first visit", async () => {
  const shop = await startShop({ env: measurable })
  const meter = await openMemoryMeter(shop)
  try {
    const files = consoleFiles()
    expect(files).toHaveLength(1)
    const loaded = async () => (await meter.loadedFiles()).filter((it) => files.includes(it))
    expect((await fetch(`${shop.url}/`)).status).toBe(200)
    expect((await fetch(`${shop.url}/admin/sign-in`)).status).toBe(404)
    expect(await loaded()).toEqual([])
    const before = await meter.held()
    const operator = await operatorBrowser(shop, "owner")
    for (const path of ["", "/orders", "/customers", "/services", "/jobs"])
      expect((await operator.visit(path)).status).toBe(200)
    expect(await loaded()).toEqual(files)
    const after = await meter.held()
    process.stdout.write(
      `Memory of the console: heap ${(before.heap / 1_024).toFixed(1)} MiB without it, ${(after.heap / 1_024).toFixed(1)} with its code\n`,
    )
  } finally {
    meter.close()
    await shop.stop()
  }
})
