import type { Logger } from "pino"
import { z } from "zod"
import { BillingError } from "~/billing/billing"
import { type FormFields, type FormResponse, formClient } from "~/http/form-client.server"
import { UpstreamError } from "~/http/upstream-error"
import { accessError, WhmcsError } from "./errors"
import { decodeText, decodeTexts } from "./html-entities"
import { isRecord } from "./response-schema"
import { unflattened } from "./unflatten"

export type ApiSettings = {
  /** Where WHMCS lives, with its path if it has one: `https://shop.example/billing`. */
  readonly url: string
  readonly identifier: string
  readonly secret: string
  /** Equal to `$api_access_key` of its configuration: lets in from addresses that are not on its list. */
  readonly accessKey?: string | null | undefined
  /** For one question with its repeats, in milliseconds. */
  readonly timeoutMs: number
  readonly log: Pick<Logger, "warn">
  /** Waits before repeats, in milliseconds, where the usual ones do not suit. */
  readonly retryDelaysMs?: readonly number[] | undefined
}

export type WhmcsApi = {
  /** An action that only asks: may be repeated. */
  read<T>(action: string, params: FormFields, as: z.ZodType<T>): Promise<T>
  /** An action that changes something: made once, whatever happens. */
  write<T>(action: string, params: FormFields, as: z.ZodType<T>): Promise<T>
  /** Follows an affiliate's link without going where it leads. */
  click(affiliateId: string, referer: string | null): Promise<void>
  /** What WHMCS answers to a harmless question, with the clock of its server. */
  clock(): Promise<string | null>
  /** Actions before whose JSON PHP has written something, with what kind of message it was. */
  readonly phpMessages: ReadonlyMap<string, string>
}

/** For actions whose answer says no more than that it went well. */
export const AnyResponse = z.unknown()

const PHP_MESSAGE = /Notice|Warning|Deprecated|Error/i

/** What we send under these names is never repeated in an error. */
const SECRET = /password|secret|email|identifier|accesskey|username/i

/**
 * The actions of a WHMCS installation (reference, sections 1 to 3). Throws a `BillingError`: a `WhmcsRefusal` when it
 * said no, a `WhmcsAccess` when it lets this shop not in.
 */
export function whmcsApi(settings: ApiSettings): WhmcsApi {
  const { identifier, secret, accessKey: accesskey, log, ...upstream } = settings
  const client = formClient(upstream)
  const phpMessages = new Map<string, string>()

  /** The text itself stays out of the log: it may have anything in it. */
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
    )
    recordLeadingOutput(action, response.leadingOutput)
    return response
  }

  async function call<T>(action: string, params: FormFields, as: z.ZodType<T>, repeatable: boolean) {
    const answer = await send(action, params, repeatable)
    const value = successIn(answer, { action, secrets: secretsIn(params) })
    const read = as.safeParse(value)
    if (read.success) return read.data
    const where = z.prettifyError(read.error)
    throw new BillingError("unreadable", `WHMCS answered nonsense to ${action}: ${where}`)
  }

  return {
    read: (action, params, as) => call(action, params, as, true),
    write: (action, params, as) => call(action, params, as, false),
    async click(aff, referer) {
      await withBillingErrors(client.visit("aff.php", { query: { aff }, referer }))
    },
    clock: async () => (await send("GetCurrencies", {}, true)).date,
    phpMessages,
  }
}

function successIn(
  { status, body: value }: FormResponse,
  { action, secrets }: { action: string; secrets: string[] },
) {
  if (!isRecord(value)) throw new BillingError("unreadable", `WHMCS answered nothing to ${action}`)
  const { result, status: oldResult, message } = value
  if (result === "success") return decodeTexts(unflattened(value))
  const reason = typeof message === "string" ? decodeText(message) : ""
  const fault = accessError(status, reason)
  if (fault) throw fault
  if (result === "error" || oldResult === "error") throw new WhmcsError(action, reason, secrets)
  throw new BillingError("unreadable", `WHMCS does not say how ${action} went`)
}

function secretsIn(params: FormFields): string[] {
  return Object.entries(params).flatMap(([name, value]) =>
    SECRET.test(name) && typeof value === "string" ? [value] : [],
  )
}

async function withBillingErrors<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    if (!(cause instanceof UpstreamError)) throw cause
    const { mayBeAtWork } = cause
    throw new BillingError(cause.kind, `WHMCS: ${cause.message}`, { cause, mayBeAtWork })
  }
}
