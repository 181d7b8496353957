import { defineConfig } from "playwright/test"
import { findProgram } from "../../scripts/find-program.mjs"

const results = "../../test-results"
const isRoot = process.getuid?.() === 0

export default defineConfig({
  testDir: ".",
  outputDir: `${results}/e2e`,
  reporter: [["list"], ["json", { outputFile: `${results}/e2e.json` }]],
  forbidOnly: true,
  retries: 0,
  workers: 2,
  timeout: 45_000,
  expect: { timeout: 10_000 },
  use: {
    browserName: "chromium",
    screenshot: "only-on-failure",
    trace: "off",
    // Well below the whole test's time, so that a failure names the step it happened in.
    actionTimeout: 10_000,
    navigationTimeout: 15_000,
    launchOptions: {
      // The distribution's own Chromium: `npm test` sees to it. Its sandbox refuses to work for root.
      executablePath: findProgram("chromium") ?? "chromium",
      chromiumSandbox: !isRoot,
      args: [
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        "--disable-quic",
        "--disable-gpu",
      ],
    },
  },
})
