import type { TermPolicy } from "~/billing/services/term-policy"
import type { Config } from "~/config/environment.server"

/** The configured rules for terms. Undefined: services belong to an external billing, which has terms of its own. */
export function termPolicyOf(config: Config): TermPolicy | undefined {
  if (config.BILLING !== "embedded") return undefined
  return {
    timeZone: config.TIME_ZONE,
    reminders: config.RENEWAL_REMINDERS,
    graceDays: config.GRACE_DAYS,
    terminateAfterDays: config.TERMINATE_AFTER_DAYS,
    renewAheadMonths: config.RENEW_AHEAD,
    holdHours: config.HOLD_HOURS,
    lineCancelHours: config.LINE_CANCEL_HOURS,
    topUps: { amounts: config.CREDIT_TOP_UPS, max: config.CREDIT_MAX * 100 },
    planChange: config.PLAN_CHANGE,
    amnestyDays: config.TERM_AMNESTY_DAYS,
  }
}
