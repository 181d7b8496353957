import type { PlaywrightTestConfig } from "playwright/test"
import { findChromium } from "../../scripts/setup/find-chromium.mjs"

const isRoot = process.getuid?.() === 0

/** Journeys of buyers and resellers. The `remote` and `whmcs` projects run these files too. */
export const backendJourneys =
  /\/(purchase|customer-journey|change-order|double-submit|service-page|sign-in|sign-in-by-mail|auto-redirect|entry-links|invalid-input|fraud|gateways|resellers|reseller-upsell|reseller-invalid-input)\.spec\.ts$/

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
  // More than the cores: a test waits for pages, polls and servers for a third of its time.
  workers: "150%",
  // Milliseconds. Bounds a test that hangs: on a machine with twenty times the work of its cores five seconds took 90.
  timeout: 240_000,
  // The default intervals grow to a second, which a test would wait in addition.
  expect: { timeout: 15_000, toPass: { intervals: [50, 100] } },
  use: {
    browserName: "chromium",
    screenshot: "only-on-failure",
    trace: "off",
    // Well below the timeout of a test, so that a failure names its step.
    actionTimeout: 15_000,
    navigationTimeout: 30_000,
    launchOptions: {
      // The distribution's, which `npm test` checks for. Its sandbox does not work for root.
      executablePath: findChromium() ?? "chromium",
      chromiumSandbox: !isRoot,
      args: [
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        "--disable-quic",
        "--disable-gpu",
        // Text is laid out as on a phone, and the same in the desktop browser and its headless shell.
        "--font-render-hinting=none",
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
