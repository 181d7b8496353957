import { z } from "zod"
import { BillingError } from "~/billing/billing"
import { type FormAnswer, type FormFields, formClient } from "~/http/form-client.server"
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
}

/** For actions whose answer says no more than that it went well. */
export const AnyResponse = z.unknown()

/** What we send under these names is never repeated in an error. */
const SECRET = /password|secret|email|identifier|accesskey|username/i

/**
 * The actions of a WHMCS installation (reference, sections 1 to 3). Throws a `BillingError`: a `WhmcsRefusal` when it
 * said no, a `WhmcsAccess` when it lets this shop not in.
 */
export function whmcsApi(settings: ApiSettings): WhmcsApi {
  const { identifier, secret, accessKey: accesskey, ...upstream } = settings
  const client = formClient(upstream)

  async function send(action: string, params: FormFields, repeatable: boolean): Promise<FormAnswer> {
    const proof = { identifier, secret, accesskey, responsetype: "json" }
    return told(client.post("includes/api.php", { ...params, ...proof, action }, { repeatable }))
  }

  async function call<T>(action: string, params: FormFields, as: z.ZodType<T>, repeatable: boolean) {
    const answer = await send(action, params, repeatable)
    const said = successIn(answer, { action, secrets: secretsIn(params) })
    const read = as.safeParse(said)
    if (read.success) return read.data
    const where = z.prettifyError(read.error)
    throw new BillingError("unreadable", `WHMCS answered nonsense to ${action}: ${where}`)
  }

  return {
    read: (action, params, as) => call(action, params, as, true),
    write: (action, params, as) => call(action, params, as, false),
    async click(aff, referer) {
      await told(client.visit("aff.php", { query: { aff }, referer }))
    },
    clock: async () => (await send("GetCurrencies", {}, true)).date,
  }
}

function successIn({ status, said }: FormAnswer, { action, secrets }: { action: string; secrets: string[] }) {
  if (!isRecord(said)) throw new BillingError("unreadable", `WHMCS answered nothing to ${action}`)
  const { result, status: oldResult, message } = said
  if (result === "success") return decodeTexts(unflattened(said))
  const words = typeof message === "string" ? decodeText(message) : ""
  const fault = accessError(status, words)
  if (fault) throw fault
  if (result === "error" || oldResult === "error") throw new WhmcsError(action, words, secrets)
  throw new BillingError("unreadable", `WHMCS does not say how ${action} went`)
}

function secretsIn(params: FormFields): string[] {
  return Object.entries(params).flatMap(([name, value]) =>
    SECRET.test(name) && typeof value === "string" ? [value] : [],
  )
}

async function told<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    if (!(cause instanceof UpstreamError)) throw cause
    const { mayBeAtWork } = cause
    throw new BillingError(cause.kind, `WHMCS: ${cause.message}`, { cause, mayBeAtWork })
  }
}
