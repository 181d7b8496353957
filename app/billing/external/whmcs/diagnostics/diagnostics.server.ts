import { BillingError } from "~/billing/billing"
import type { Finding } from "~/billing/diagnostic"
import type { Instant } from "~/domain/calendar"
import { Done } from "../client/api.server"
import { WhmcsAccess } from "../client/errors"
import type { Whmcs } from "../context.server"
import { clockFindings } from "./diagnose-clock.server"
import { permissionFindings } from "./diagnose-permissions.server"
import { productFindings } from "./diagnose-products.server"
import { currencyFindings, gatewayFindings } from "./diagnose-setup.server"

/** What an operator has to put right before this installation can be sold from. Changes nothing there. */
export async function examine(whmcs: Whmcs, now: Instant): Promise<readonly Finding[]> {
  const reach = await reachFindings(whmcs)
  if (reach.some(({ ok }) => ok === false)) return reach
  const parts: [string, () => Promise<readonly Finding[]>][] = [
    ["permissions", () => permissionFindings(whmcs)],
    ["plans", () => productFindings(whmcs, "plan")],
    ["reseller plans", () => productFindings(whmcs, "reseller")],
    ["currencies", () => currencyFindings(whmcs)],
    ["gateways", () => gatewayFindings(whmcs)],
    ["clock", () => clockFindings(whmcs, now)],
  ]
  const findings: Finding[] = [...reach]
  for (const [what, look] of parts) findings.push(...(await looked(what, look)))
  return findings
}

/** No answer is a finding too. */
async function looked(what: string, look: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await look()
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    return [{ ok: false, what, words: error.message }]
  }
}

/** The address in "Invalid IP 192.0.2.1" is the one that WHMCS sees us come from: the one to put on its list. */
const advice: Record<WhmcsAccess["fault"], string> = {
  address: "put this address on the list under General Settings > Security, one by one, without ranges",
  credentials: "WHMCS_IDENTIFIER and WHMCS_SECRET are not those of an API credential there",
  permission: "give the API credential a role that allows it",
  other: "it shuts this shop out",
}

async function reachFindings({ api, settings }: Whmcs): Promise<readonly Finding[]> {
  const what = "reachable"
  try {
    await api.ask("GetPaymentMethods", {}, Done)
    return [{ ok: true, what, words: new URL(settings.url).host }]
  } catch (error) {
    if (error instanceof WhmcsAccess && error.fault === "permission") {
      return [{ ok: true, what, words: new URL(settings.url).host }]
    }
    if (error instanceof WhmcsAccess) {
      return [{ ok: false, what, words: `${error.words}: ${advice[error.fault]}` }]
    }
    if (!(error instanceof BillingError)) throw error
    return [{ ok: false, what, words: error.message }]
  }
}
