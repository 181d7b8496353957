import { expect, test } from "playwright/test"
import { runServerCommand } from "../../support/server/run-server-command"
import { startShop } from "../../support/server/server-process"

test("starts with a former variable and warns once, naming the new one", async () => {
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

test("does not start with a former variable that contradicts the new one, and names both", async () => {
  const env = { PORT: "0", MOST_AT_ONCE: "5", MAX_CONCURRENT_REQUESTS: "6" }
  const { code, complained } = await runServerCommand([], env)
  expect(code).toBe(1)
  expect(complained).toContain("MOST_AT_ONCE and MAX_CONCURRENT_REQUESTS are set to different values")
})
