import { documentViolations } from "./document-rules"
import { gatewayViolations } from "./gateway-rules"
import { moneyViolations } from "./ledger-rules"
import { orderViolations } from "./order-rules"
import { panelViolations } from "./panel-rules"
import { serviceViolations } from "./service-rules"
import type { SystemState } from "./system-state"
import { countingViolations } from "./usage-rules"

/**
 * Checks the invariants after all jobs and sweeps have run; returns one sentence per violation. Invariants: no
 * duplicate order, no lost or doubled payment, no service without payment, no payment without a service or a visible
 * reason, ledgers that sum to zero, numbers of invoices without a gap.
 */
export function violations(state: SystemState): string[] {
  const rules = [
    orderViolations,
    moneyViolations,
    gatewayViolations,
    serviceViolations,
    panelViolations,
    countingViolations,
    documentViolations,
  ]
  return rules.flatMap((rule) => rule(state))
}
