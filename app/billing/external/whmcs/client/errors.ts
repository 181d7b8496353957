import { BillingError } from "~/billing/billing"
import { decodeText } from "./html-entities"

const MAX_LENGTH = 160

/**
 * WHMCS rejected an action (`result: error`, usually with HTTP 200). Its message may contain personal data or
 * passwords, so the error message holds it only if it passes `redacted`. `matches` matches the original text, which is
 * never logged.
 */
export class WhmcsError extends BillingError {
  override name = "WhmcsError"
  readonly #said: string

  constructor(
    readonly action: string,
    message: string,
    secrets: readonly string[] = [],
  ) {
    super("refused", `WHMCS rejected ${action}: ${redacted(message, secrets)}`)
    this.#said = message
  }

  matches(pattern: RegExp): boolean {
    return pattern.test(this.#said)
  }
}

export type AccessFault = "address" | "permission" | "credentials" | "other"

/**
 * WHMCS denied access to the API or to one action (HTTP 403, or 401). Only the operator can fix it, so the kind is
 * `unavailable`: jobs and orders are retried, not failed.
 */
export class WhmcsAccessError extends BillingError {
  override name = "WhmcsAccessError"

  constructor(
    readonly fault: AccessFault,
    /** The message of WHMCS, which contains the address it saw or the forbidden action. */
    readonly explanation: string,
  ) {
    super("unavailable", `WHMCS denied access: ${explanation}`)
  }
}

const faults: readonly [RegExp, AccessFault][] = [
  [/^(invalid|forbidden) ip\b/i, "address"],
  [/^invalid permissions\b/i, "permission"],
  [/^(invalid or missing credentials|authentication failed|an admin user is required)/i, "credentials"],
]

/** The access error that a response stands for; null for any other error. */
export function accessError(status: number, message: string): WhmcsAccessError | null {
  const fault = faults.find(([pattern]) => pattern.test(message))?.[1]
  const isShut = status === 401 || status === 403
  return fault || isShut ? new WhmcsAccessError(fault ?? "other", redacted(message, [])) : null
}

/** Resolves to null if WHMCS rejects the action with a message that matches; rethrows every other error. */
export async function nullOnError<T>(pattern: RegExp, promise: Promise<T>): Promise<T | null> {
  try {
    return await promise
  } catch (error) {
    if (error instanceof WhmcsError && error.matches(pattern)) return null
    throw error
  }
}

/** WHMCS's message if it can be logged: no email, HTML or URL, and no secret of the request. Cut to 160 characters. */
function redacted(message: string, secrets: readonly string[]): string {
  const text = message.replaceAll(/\s+/g, " ").trim()
  // The message is decoded, so a secret that contains an HTML entity appears in it in its decoded form.
  const forms = secrets.flatMap((it) => [it, decodeText(it)]).filter((it) => it !== "")
  const isDescriptive = /[@<]|:\/\//.test(text) || forms.some((it) => text.includes(it))
  if (isDescriptive || text === "") return "message withheld"
  return text.slice(0, MAX_LENGTH)
}
