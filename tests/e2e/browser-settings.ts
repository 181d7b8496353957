import type { PlaywrightTestConfig } from "playwright/test"
import { findProgram } from "../../scripts/setup/find-program.mjs"

const isRoot = process.getuid?.() === 0

/** What buyers and resellers do. The remote and the WHMCS project run these files too. */
export const backendJourneys =
  /\/(purchase|change-order|double-submit|service-page|sign-in|auto-redirect|entry-links|invalid-input|fraud|gateways|resellers|reseller-upsell|reseller-invalid-input)\.spec\.ts$/

/** The billing API reports that an invoice is paid, but no other event of a payment, and no payment after the deadline. */
export const notInTheApi = /on our own page|who pays less|failed at the gateway|cancelled in one tab/

/** What the configurations of `npm test` and of `npm run test:deep` share. */
export const common: PlaywrightTestConfig = {
  testDir: ".",
  forbidOnly: true,
  workers: "100%",
  // Long enough for a machine that runs other programs beside the tests.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  use: {
    browserName: "chromium",
    screenshot: "only-on-failure",
    trace: "off",
    // Well below the whole test's time, so that a failure names the step it happened in.
    actionTimeout: 15_000,
    navigationTimeout: 30_000,
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
}

/** Where failures are kept, and what has been counted. */
export function resultsOf(name: string): Pick<PlaywrightTestConfig, "outputDir" | "reporter"> {
  const results = "../../test-results"
  return {
    outputDir: `${results}/${name}`,
    reporter: [["list"], ["json", { outputFile: `${results}/${name}.json` }]],
  }
}
