import { defineConfig } from "playwright/test"
import { findProgram } from "../../scripts/setup/find-program.mjs"

const results = "../../test-results"
const journeys =
  /\/(purchase|change-order|double-submit|service-page|sign-in|auto-redirect|entry-links|invalid-input|fraud|gateways|resellers|reseller-upsell|reseller-invalid-input)\.spec\.ts$/
/** The billing API tells that an invoice is paid: not what else a gateway says of a payment, nor when money comes late. */
const notInTheApi = /on our own page|who pays less|failed at the gateway|cancelled in one tab/
const isRoot = process.getuid?.() === 0

export default defineConfig({
  testDir: ".",
  outputDir: `${results}/e2e`,
  reporter: [["list"], ["json", { outputFile: `${results}/e2e.json` }]],
  forbidOnly: true,
  // On a busy machine a browser now and then misses a press. What goes well only then is named at the end.
  retries: 2,
  workers: 2,
  timeout: 45_000,
  expect: { timeout: 10_000 },
  // Everything on books of our own; what buyers and resellers do on everybody else's too.
  projects: [
    { name: "embedded" },
    { name: "remote", testMatch: journeys, grepInvert: notInTheApi },
    { name: "whmcs", testMatch: journeys },
  ],
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
