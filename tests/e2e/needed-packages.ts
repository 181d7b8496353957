import { test } from "playwright/test"
import { isInstalled } from "../../scripts/setup/install-system-packages.mjs"

/**
 * Skips the tests of this file, or of this group, on a machine that lacks one of these packages. The command that runs
 * the tests prints what was left out and how to install it.
 */
export function needsPackages(...packages: readonly ("firefox-esr" | "nginx-light" | "postgresql")[]): void {
  const missing = packages.filter((name) => !isInstalled(name))
  test.skip(missing.length > 0, `missing: ${missing.join(", ")}`)
}
