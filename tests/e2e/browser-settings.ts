import type { PlaywrightTestConfig } from "playwright/test"
import { findProgram } from "../../scripts/setup/find-program.mjs"

const isRoot = process.getuid?.() === 0

/** Journeys of buyers and resellers. The `remote` and `whmcs` projects run these files too. */
export const backendJourneys =
  /\/(purchase|change-order|double-submit|service-page|sign-in|sign-in-by-mail|auto-redirect|entry-links|invalid-input|fraud|gateways|resellers|reseller-upsell|reseller-invalid-input)\.spec\.ts$/

/**
 * Tests that need more than the billing API reports: it reports that an invoice is paid, but no other payment event,
 * and no payment after the deadline.
 */
export const notInTheApi =
  /on the shop's own page|underpayment|failed at the gateway|cancelled in one tab|never confirmed/

/** Settings shared by the configurations of `npm test` and `npm run test:deep`. */
export const common: PlaywrightTestConfig = {
  testDir: ".",
  forbidOnly: true,
  workers: "100%",
  // Milliseconds. Long enough for a machine that runs other programs at the same time.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  use: {
    browserName: "chromium",
    screenshot: "only-on-failure",
    trace: "off",
    // Well below the timeout of a test, so that a failure names its step.
    actionTimeout: 15_000,
    navigationTimeout: 30_000,
    launchOptions: {
      // The distribution's Chromium, which `npm test` checks for. Its sandbox does not work for root.
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

/** Folder of the failure artifacts, and reporters: a list, and a JSON file with the counts. */
export function resultsOf(name: string): Pick<PlaywrightTestConfig, "outputDir" | "reporter"> {
  const results = "../../test-results"
  return {
    outputDir: `${results}/${name}`,
    reporter: [["list"], ["json", { outputFile: `${results}/${name}.json` }]],
  }
}
