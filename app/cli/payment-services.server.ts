import { stepCounter } from "~/billing/step-counter.server"
import type { Call } from "./command"

/** The services that the payment flows require. */
export function paymentServices({ billing, gateways, config, now, log }: Call) {
  return {
    billing: billing.billing,
    payments: billing.payments,
    stepCounter: stepCounter({ steps: billing.steps, now: () => now, timeZone: config.TIME_ZONE }),
    gateways: gateways(),
    log,
    tolerance: config.PAYMENT_TOLERANCE,
    now: () => now,
    // A running shop polls the outbox, so it needs no wake-up from this process.
    wakeJobs: () => {},
  }
}
