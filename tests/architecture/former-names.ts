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

/** Tables and columns before migration 0020. The column `hundredths` is missing: it is an English word, too. */
export const formerStoredNames = [
  "orders_there",
  "bookmarks",
  "ask_at",
  "asked_at",
  "former_id",
  "password_reach",
] as const

/** Error codes of the served API. */
export const formerErrorCodes = {
  "unknown-key": "invalid-api-key",
  unproven: "token-required",
  "wrong-credentials": "invalid-credentials",
  "another-customer": "forbidden",
  "foreign-origin": "forbidden-origin",
  "no-such-call": "unknown-endpoint",
  "wrong-method": "method-not-allowed",
  "key-taken": "idempotency-key-conflict",
  "not-now": "conflict",
  "not-for-sale": "not-available",
  "too-many": "rate-limited",
  unreadable: "bad-upstream-response",
} as const

/** Values of the label `outcome`, by metric. */
export const formerOutcomes = {
  boxoffice_payment_updates_total: ["booked", "repeat", "unknown", "mismatch"],
  boxoffice_callbacks_total: ["news", "nothing", "refused"],
} as const
