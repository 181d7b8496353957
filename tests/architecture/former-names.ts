/** Former names that must not come back. docs/upgrading.md has the names that replace them. */
export const formerMetrics = [
  "boxoffice_attempts_total",
  "boxoffice_news_total",
  "boxoffice_books_up",
  "boxoffice_unprovisioned_seconds",
  "boxoffice_outbox_age_seconds",
  "boxoffice_database_waiting",
] as const

/** Variables that only scripts set, so they have no alias; app/config/former-variables.ts has the others. */
export const formerScriptVariables = {
  BUILD_FOLDER: "BUILD_DIR",
  END_WITH_PARENT: "EXIT_WITH_PARENT",
} as const

export const formerAlerts = ["BooksSilent", "JobsStandStill", "RefusedSignatures", "FailedPages"] as const

/** Values of the label `outcome`, by metric. */
export const formerOutcomes = {
  boxoffice_payment_updates_total: ["booked", "repeat", "unknown", "mismatch"],
  boxoffice_callbacks_total: ["news", "nothing", "refused"],
} as const
