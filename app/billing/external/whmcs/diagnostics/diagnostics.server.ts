import { BillingError } from "~/billing/billing"
import type { Diagnostic } from "~/billing/diagnostic"
import type { Instant } from "~/domain/calendar"
import { AnyResponse } from "../client/api.server"
import { WhmcsAccessError } from "../client/errors"
import type { Whmcs } from "../context.server"
import { clockDiagnostics } from "./diagnose-clock.server"
import { permissionDiagnostics } from "./diagnose-permissions.server"
import { productDiagnostics } from "./diagnose-products.server"
import { currencyDiagnostics, gatewayDiagnostics } from "./diagnose-setup.server"

/** Runs all checks of a WHMCS installation for the `doctor` command. Changes no data. Stops if WHMCS is unreachable. */
export async function diagnose(whmcs: Whmcs, now: Instant): Promise<readonly Diagnostic[]> {
  const reach = await reachDiagnostics(whmcs)
  if (reach.some(({ ok }) => ok === false)) return reach
  const parts: [string, () => Promise<readonly Diagnostic[]>][] = [
    ["permissions", () => permissionDiagnostics(whmcs)],
    ["plans", () => productDiagnostics(whmcs, "plan")],
    ["reseller plans", () => productDiagnostics(whmcs, "reseller")],
    ["currencies", () => currencyDiagnostics(whmcs)],
    ["gateways", () => gatewayDiagnostics(whmcs)],
    ["clock", () => clockDiagnostics(whmcs, now)],
    ["PHP output", async () => phpOutput(whmcs)],
  ]
  const diagnostics: Diagnostic[] = [...reach]
  for (const [check, run] of parts) diagnostics.push(...(await runCheck(check, run)))
  return diagnostics
}

/** Must run last: it reports what the earlier calls recorded. */
function phpOutput({ api }: Whmcs): readonly Diagnostic[] {
  const actions = [...api.phpMessages.keys()]
  if (actions.length === 0) return []
  const kinds = [...new Set(api.phpMessages.values())].join(", ")
  const message = `${kinds} before the JSON of ${actions.join(", ")}: turn display_errors off in PHP`
  return [{ ok: null, check: "PHP output", message }]
}

/** Runs a check; a `BillingError` becomes a failed diagnostic. */
async function runCheck(
  check: string,
  run: () => Promise<readonly Diagnostic[]>,
): Promise<readonly Diagnostic[]> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    return [{ ok: false, check, message: error.message }]
  }
}

/** "Invalid IP 192.0.2.1" contains the address that WHMCS sees, which is the one to add to its allow list. */
const advice: Record<WhmcsAccessError["fault"], string> = {
  address: "add this address under General Settings > Security (exact addresses, no ranges)",
  credentials: "WHMCS_IDENTIFIER and WHMCS_SECRET are not a valid API credential",
  permission: "give the API credential a role that allows it",
  other: "access denied",
}

async function reachDiagnostics({ api, settings }: Whmcs): Promise<readonly Diagnostic[]> {
  const check = "reachable"
  try {
    await api.read("GetPaymentMethods", {}, AnyResponse)
    return [{ ok: true, check, message: new URL(settings.url).host }]
  } catch (error) {
    if (error instanceof WhmcsAccessError && error.fault === "permission") {
      return [{ ok: true, check, message: new URL(settings.url).host }]
    }
    if (error instanceof WhmcsAccessError) {
      return [{ ok: false, check, message: `${error.explanation}: ${advice[error.fault]}` }]
    }
    if (!(error instanceof BillingError)) throw error
    return [{ ok: false, check, message: error.message }]
  }
}
