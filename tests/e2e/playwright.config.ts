import { defineConfig } from "playwright/test"
import { backendJourneys, common, notInTheApi, resultsOf } from "./browser-settings"

/** What `npm test` runs. Nothing is tried twice: a test that fails now and then hides a defect of the shop or its own. */
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
