/** Former names that the project must not use again. docs/upgrading.md has the names that replace them. */
export const formerMetrics = [
  "boxoffice_attempts_total",
  "boxoffice_news_total",
  "boxoffice_books_up",
  "boxoffice_unprovisioned_seconds",
  "boxoffice_outbox_age_seconds",
  "boxoffice_database_waiting",
] as const

/** Variables that only scripts set, so they have no alias. app/config/former-variables.ts has all other variables. */
export const formerScriptVariables = {
  BUILD_FOLDER: "BUILD_DIR",
  END_WITH_PARENT: "EXIT_WITH_PARENT",
} as const

export const formerAlerts = ["BooksSilent", "JobsStandStill", "RefusedSignatures", "FailedPages"] as const

/**
 * Tables and columns before migration 0020. The former column `hundredths` is missing, as it is also an English word.
 */
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

/** Former log messages. */
export const formerLogMessages = [
  "call of the API without a right key",
  "line ended by a call of the API",
  "order paid at the word of a caller of the API",
  "the books do not answer: ordering is paused",
  "the books answer again: ordering goes on",
  "the books do not answer: the visitor is asked to try again",
  "background work failed",
  "the billing system was not told",
  "order made there",
  "an order could not be held",
  "an order could not be released",
  "the billing system gave no answer",
  "decided in the billing system",
  "the billing system does not tell of services",
  "a pay page is at an origin that nobody has named before",
  "PHP of WHMCS writes before the JSON: turn display_errors off there",
  "page failed",
  "order held as suspicious",
  "too many orders",
  "too many codes tried",
  "too many tries to sign in",
  "too many new passwords",
  "too many payments opened",
  "no price list",
  "no list of gateways",
  "a password of a sign-up is not ended yet",
  "password not rated: the visitor is asked to try again",
  "password not set: the customer is asked to try again",
  "password not checked: the visitor is asked to try again",
  "click not counted",
  "claimed jobs could not be renewed",
  "service set up",
  "order past its deadline",
  "money that paid nothing is credit now",
  "customers who never bought anything are forgotten",
  "the panel did not carry out a job",
  "the panel did not carry out a change",
  "connections set",
  "gateway does not say what it takes",
  "gateway does not say how to pay",
  "payment not closed",
  "payment not opened",
  "gateway gave no answer",
  "callback refused",
  "refused callback not counted",
  "payment",
  "signed report of a payment not booked",
  "gateway does not answer: offered last, and tried again every 30 s",
  "gateway answers again",
  "countries cannot be looked up",
  "sandbox could not deliver",
  "sandbox calls back",
  "sandbox failed",
  "more came than could be taken on",
  "request not answered",
  "request",
  "call not carried out",
  "the disk has failed to take what was written: nothing more is written, the shop ends",
  "news of a payment that is not ours",
  "news in another currency than was asked for",
] as const
