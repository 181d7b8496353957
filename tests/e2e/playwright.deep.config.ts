import { defineConfig } from "playwright/test"
import { backendJourneys, common, notInTheApi, resultsOf } from "./browser-settings"

/** Configuration of `npm run test:deep`: slow tests, all rows of long tables, and all journeys on external billing. */
export default defineConfig(common, resultsOf("e2e-deep"), {
  retries: 1,
  // Milliseconds. Bounds a test that hangs: a busy machine takes several times as long for a whole table.
  timeout: 400_000,
  use: { trace: "on-first-retry" },
  projects: [
    { name: "embedded", grep: /@deep/ },
    { name: "remote", testMatch: backendJourneys, grepInvert: notInTheApi },
    { name: "whmcs", testMatch: backendJourneys },
  ],
})
