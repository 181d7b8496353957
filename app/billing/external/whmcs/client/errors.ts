import { BillingError } from "~/billing/billing"
import { decodeText } from "./html-entities"

const MAX_LENGTH = 160

/**
 * WHMCS said no (HTTP 200 with `result: error`). What it said may name people or passwords, so only what is harmless
 * of it stands in the message; the rest can be asked about and is never written down.
 */
export class WhmcsError extends BillingError {
  override name = "WhmcsRefusal"
  readonly #said: string

  constructor(
    readonly action: string,
    message: string,
    secrets: readonly string[] = [],
  ) {
    super("refused", `WHMCS rejected ${action}: ${harmless(message, secrets)}`)
    this.#said = message
  }

  says(pattern: RegExp): boolean {
    return pattern.test(this.#said)
  }
}

export type AccessFault = "address" | "permission" | "credentials" | "other"

/**
 * WHMCS lets this shop not in, or not do that (HTTP 403). The operator can put it right, so for buyers it is away for
 * now, and nothing of theirs is given up for it.
 */
export class WhmcsAccessError extends BillingError {
  override name = "WhmcsAccess"

  constructor(
    readonly fault: AccessFault,
    /** WHMCS's words, which name the address it saw or the action it forbids. */
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

/** What hinders this shop, if that is what an error is about. */
export function accessError(status: number, message: string): WhmcsAccessError | null {
  const fault = faults.find(([pattern]) => pattern.test(message))?.[1]
  const isShut = status === 401 || status === 403
  return fault || isShut ? new WhmcsAccessError(fault ?? "other", harmless(message, [])) : null
}

/** Null where WHMCS said no in such words. Every other failure stays one. */
export async function nullOnError<T>(pattern: RegExp, answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof WhmcsError && error.says(pattern)) return null
    throw error
  }
}

/** Words of theirs that an operator may read in a log: no e-mail, no address of a page, nothing we sent as a secret. */
function harmless(message: string, secrets: readonly string[]): string {
  const text = message.replaceAll(/\s+/g, " ").trim()
  // A secret that contains an entity as it stands has lost it in the decoded message.
  const forms = secrets.flatMap((it) => [it, decodeText(it)]).filter((it) => it !== "")
  const isDescriptive = /[@<]|:\/\//.test(text) || forms.some((it) => text.includes(it))
  if (isDescriptive || text === "") return "message withheld"
  return text.slice(0, MAX_LENGTH)
}
