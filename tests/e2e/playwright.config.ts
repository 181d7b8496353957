import { defineConfig } from "playwright/test"
import { backendJourneys, common, notInTheApi, resultsOf } from "./browser-settings"

/** Configuration of `npm test`. No retries: a flaky test has a defect, or reveals one of the shop. */
export default defineConfig(common, resultsOf("e2e"), {
  retries: 0,
  projects: [
    { name: "embedded", grepInvert: /@deep/ },
    {
      name: "remote",
      testMatch: backendJourneys,
      grep: /@every-backend/,
      grepInvert: [/@deep/, notInTheApi],
    },
    { name: "whmcs", testMatch: backendJourneys, grep: /@every-backend/, grepInvert: /@deep/ },
  ],
})
