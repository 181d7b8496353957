import { test } from "playwright/test"
import { isInstalled } from "../../scripts/setup/install-system-packages.mjs"

/**
 * Skips the tests of the current file or group if one of these packages is not installed. The test command prints what
 * was skipped and how to install the packages.
 */
export function needsPackages(
  ...packages: readonly (
    | "firefox-esr"
    | "nginx-light"
    | "pgbouncer"
    | "postgresql"
    | "webkit2gtk-driver"
    | "xvfb"
  )[]
): void {
  const missing = packages.filter((name) => !isInstalled(name))
  test.skip(missing.length > 0, `missing: ${missing.join(", ")}`)
}
