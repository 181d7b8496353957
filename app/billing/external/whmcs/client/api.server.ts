import type { Logger } from "pino"
import { z } from "zod"
import { BillingError } from "~/billing/billing"
import { upstreamFailure } from "~/billing/external/upstream-failure"
import { type FormFields, type FormResponse, formClient } from "~/http/form-client.server"
import { UpstreamError } from "~/http/upstream-error"
import { accessError, WhmcsError } from "./errors"
import { decodeText, decodeTexts } from "./html-entities"
import { isRecord } from "./response-schema"
import { unflattened } from "./unflatten"

export type ApiSettings = {
  /** Base URL of WHMCS, including its path: `https://shop.example/billing`. */
  readonly url: string
  readonly identifier: string
  readonly secret: string
  /** `$api_access_key` of configuration.php; allows calls from addresses outside the IP allow list. */
  readonly accessKey?: string | null | undefined
  /** Limit of one call including its retries, in milliseconds. */
  readonly timeoutMs: number
  readonly log: Pick<Logger, "warn">
  /** Delays before the retries, in milliseconds; overrides the default. */
  readonly retryDelaysMs?: readonly number[] | undefined
}

export type WhmcsApi = {
  /** Calls a read-only action; retried on transport failures. */
  read<T>(action: string, params: FormFields, as: z.ZodType<T>): Promise<T>
  /**
   * Calls an action that changes data; never retried, because WHMCS has no idempotency keys. `secrets`: texts that are
   * no parameters of the call, but must not appear in its error message either.
   */
  write<T>(action: string, params: FormFields, as: z.ZodType<T>, secrets?: readonly string[]): Promise<T>
  /** Records an affiliate click through `aff.php`, without following its redirect. */
  click(affiliateId: string, referer: string | null): Promise<void>
  /** The Date header of a read-only call; null if the server sends none. */
  clock(): Promise<string | null>
  /** Actions whose JSON was preceded by PHP output, with the kind of message. */
  readonly phpMessages: ReadonlyMap<string, string>
}

/** For actions whose response holds nothing but its success. */
export const AnyResponse = z.unknown()

const PHP_MESSAGE = /Notice|Warning|Deprecated|Error/i

/** Values of parameters with these names never appear in an error message. */
const SECRET = /password|secret|email|firstname|identifier|accesskey|username/i

/**
 * Client of the WHMCS API (https://developers.whmcs.com/api/getting-started/). Throws a `BillingError`: `WhmcsError`
 * for `result: error`, `WhmcsAccessError` if WHMCS denies access, `unavailable` or `unreadable` for transport failures.
 */
export function whmcsApi(settings: ApiSettings): WhmcsApi {
  const { identifier, secret, accessKey: accesskey, log, ...upstream } = settings
  const client = formClient(upstream)
  const phpMessages = new Map<string, string>()

  /** Does not log the output itself: it may contain personal data. */
  function recordLeadingOutput(action: string, leadingOutput: string | null): void {
    if (leadingOutput === null || phpMessages.has(action)) return
    const message = PHP_MESSAGE.exec(leadingOutput)?.[0] ?? "text"
    phpMessages.set(action, message)
    log.warn(
      { action, output: message, hint: "turn display_errors off in WHMCS" },
      "PHP output found in WHMCS response",
    )
  }

  async function send(action: string, params: FormFields, repeatable: boolean): Promise<FormResponse> {
    const proof = { identifier, secret, accesskey, responsetype: "json" }
    const response = await withBillingErrors(
      client.post("includes/api.php", { ...params, ...proof, action }, { repeatable }),
      !repeatable,
    )
    recordLeadingOutput(action, response.leadingOutput)
    return response
  }

  type How = { readonly repeatable: boolean; readonly secrets: readonly string[] }

  async function call<T>(action: string, params: FormFields, as: z.ZodType<T>, how: How) {
    const response = await send(action, params, how.repeatable)
    const value = successIn(response, { action, secrets: [...secretsIn(params), ...how.secrets] })
    const read = as.safeParse(value)
    if (read.success) return read.data
    const where = z.prettifyError(read.error)
    throw new BillingError("unreadable", `Invalid WHMCS response to ${action}: ${where}`)
  }

  return {
    read: (action, params, as) => call(action, params, as, { repeatable: true, secrets: [] }),
    write: (action, params, as, secrets = []) => call(action, params, as, { repeatable: false, secrets }),
    async click(aff, referer) {
      await withBillingErrors(client.visit("aff.php", { query: { aff }, referer }), true)
    },
    clock: async () => (await send("GetCurrencies", {}, true)).date,
    phpMessages,
  }
}

function successIn(
  { status, body: value }: FormResponse,
  { action, secrets }: { action: string; secrets: string[] },
) {
  if (!isRecord(value))
    throw new BillingError("unreadable", `Invalid WHMCS response, not a JSON object: ${action}`)
  const { result, status: oldResult, message } = value
  if (result === "success") return decodeTexts(unflattened(value))
  const reason = typeof message === "string" ? decodeText(message) : ""
  const fault = accessError(status, reason)
  if (fault) throw fault
  if (result === "error" || oldResult === "error") throw new WhmcsError(action, reason, secrets)
  throw new BillingError("unreadable", `Invalid WHMCS response to ${action}: no result`)
}

function secretsIn(params: FormFields): string[] {
  return Object.entries(params).flatMap(([name, value]) =>
    SECRET.test(name) && typeof value === "string" ? [value] : [],
  )
}

async function withBillingErrors<T>(promise: Promise<T>, writes: boolean): Promise<T> {
  try {
    return await promise
  } catch (cause) {
    if (!(cause instanceof UpstreamError)) throw cause
    throw new BillingError(cause.kind, `WHMCS: ${cause.message}`, upstreamFailure(cause, writes))
  }
}
