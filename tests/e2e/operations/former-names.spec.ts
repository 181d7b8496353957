import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect } from "playwright/test"
import { runServerCommand } from "../../support/server/run-server-command"
import { startShop } from "../../support/server/server-process"
import { test } from "../shop-test"

let folder: string
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "boxoffice-"))
})
test.afterEach(() => rmSync(folder, { recursive: true }))

test("starts with a former variable and logs one warning with the new name", async () => {
  const shop = await startShop({ env: { NEIGHBOUR_TIMEOUT_MS: "2500" } })
  const warnings = shop.logLines().filter(({ msg }) => msg === "environment variable renamed")
  expect(warnings).toEqual([
    expect.objectContaining({
      level: 40,
      variable: "NEIGHBOUR_TIMEOUT_MS",
      replacement: "UPSTREAM_TIMEOUT_MS",
    }),
  ])
  await shop.stop()
})

test("does not start when a former variable and its new name have different values, and names both", async () => {
  const env = { PORT: "0", MOST_AT_ONCE: "5", MAX_CONCURRENT_REQUESTS: "6" }
  const { exitCode, errorOutput } = await runServerCommand([], env)
  expect(exitCode).toBe(1)
  expect(errorOutput).toContain("MOST_AT_ONCE and MAX_CONCURRENT_REQUESTS are set to different values")
})

test("the command line accepts its former name and prints the new one on standard error", async () => {
  await (await startShop({ dataDir: folder })).stop()
  const env = { DATA_DIR: folder }
  const admin = await runServerCommand(["admin", "orders", "list"], env)
  expect(admin).toEqual({ exitCode: 0, output: "No orders.\n", errorOutput: "" })
  const former = await runServerCommand(["books", "orders", "list", "--most", "3"], env)
  expect(former).toEqual({
    exitCode: 0,
    output: "No orders.\n",
    errorOutput:
      '"books" was renamed to "admin"; the former name works until the next release.\n' +
      "--most was renamed to --limit; the former name works until the next release.\n",
  })
})
