import { gatewayViolations } from "./gateway-rules"
import { moneyViolations } from "./ledger-rules"
import { orderViolations } from "./order-rules"
import { panelViolations } from "./panel-rules"
import { serviceViolations } from "./service-rules"
import type { SystemState } from "./system-state"
import { countingViolations } from "./usage-rules"

/**
 * What is wrong in books whose jobs and sweep have run to their end, each in a sentence; none when they hold what is
 * promised: no order twice, no payment lost or doubled, no service without payment, no payment without a service or a
 * reason that can be seen, ledgers that sum to zero.
 */
export function violations(state: SystemState): string[] {
  const rules = [
    ...[orderViolations, moneyViolations, gatewayViolations],
    ...[serviceViolations, panelViolations, countingViolations],
  ]
  return rules.flatMap((rule) => rule(state))
}
