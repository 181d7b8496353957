import { z } from "zod"
import {
  BillingError,
  CustomerRejectedError,
  isRefusedByBilling,
  PromotionRefusedError,
} from "~/billing/billing"
import { upstreamFailure } from "~/billing/external/upstream-failure"
import { jsonClient } from "~/http/json-client.server"
import type { ResponseHeaders } from "~/http/upstream-client.server"
import { UpstreamError } from "~/http/upstream-error"
import { AnyResponse, Something, TextField } from "./lenient-schema"
import type { Tokens } from "./token-cache.server"

/** An API call: method, path and response schema. */
export type Call<T> = {
  readonly method: "GET" | "POST"
  readonly path: string
  /** The call changes state at the server, whatever its method. It is sent again only after a 401. */
  readonly writes: boolean
  readonly responseSchema: z.ZodType<T>
}

/** Request parameters; null values are omitted. */
export type RequestParams = Readonly<Record<string, string | number | boolean | null>>

/** The customer of a call: by external id, or by a token that was just issued. */
export type Who = { readonly customerId: string } | { readonly token: string }

/** Sends a call with the customer's token. Every failure is a `BillingError`. */
export type RemoteCall = <T>(call: Call<T>, params: RequestParams, who?: Who) => Promise<T>

export type LineSettings = {
  /** Base URL of the server; its calls are below `/checkout/api`. */
  readonly url: string
  /** API keys; the first is sent. */
  readonly keys: readonly string[]
  /** Timeout of a call including retries, in milliseconds; default 30 000. */
  readonly timeoutMs?: number
  /** Delay before each retry of a call that only reads, in milliseconds; default as in `jsonClient`. */
  readonly retryDelaysMs?: readonly number[]
}

/** The list of a reseller's lines is one response: a line has up to 2 kB. */
const MAX_BYTES = 8 * 1024 * 1024
/** An error response of the API holds a code and a short message. */
const MAX_ERROR_BYTES = 4_096

/** The customer's token has expired or is missing. */
const UNPROVEN = 401
const FORBIDDEN = 403
const CONFLICT = 409

/**
 * Client of the billing API. Sends the API key with every call and the customer's token if there is one, renews the
 * token after a 401, and retries calls that only read. `onResponse` receives the headers of every response.
 */
export function createApiClient(
  settings: LineSettings,
  tokens: Tokens,
  onResponse: (headers: ResponseHeaders) => void,
): RemoteCall {
  const { url, keys, timeoutMs, retryDelaysMs } = settings
  const client = jsonClient({
    url: `${url}/checkout/api`,
    headers: { "x-api-key": keys[0] ?? "" },
    maxBytes: MAX_BYTES,
    maxErrorBytes: MAX_ERROR_BYTES,
    onResponse,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(retryDelaysMs && { retryDelaysMs }),
  })

  function sent<T>(
    { method, path, writes }: Call<T>,
    params: RequestParams,
    token: string | null,
  ): Promise<unknown> {
    const headers: Readonly<Record<string, string>> = token ? { authorization: `Bearer ${token}` } : {}
    const known = Object.entries(params).filter((entry) => entry[1] !== null)
    const repeatable = !writes
    if (method === "POST") {
      return client.post(path, { body: Object.fromEntries(known), as: z.unknown(), repeatable, headers })
    }
    const query = new URLSearchParams(known.map(([name, value]) => [name, String(value)]))
    return client.get(query.size > 0 ? `${path}?${query}` : path, z.unknown(), { repeatable, headers })
  }

  /** A call rejected with 401 had no effect, so even one that writes is sent again with a new token. */
  async function provenly<T>(call: Call<T>, params: RequestParams, customerId: string): Promise<unknown> {
    const token = tokens.known(customerId)
    try {
      return await sent(call, params, token)
    } catch (error) {
      const renewed = isUnproven(error) ? await tokens.renewed(customerId, token) : null
      if (renewed === null) throw error
      return sent(call, params, renewed)
    }
  }

  return async (call, params, who = { token: "" }) => {
    try {
      const response = "token" in who ? sent(call, params, who.token) : provenly(call, params, who.customerId)
      return parseAs(call, await response)
    } catch (cause) {
      if (!(cause instanceof UpstreamError)) throw cause
      throw toBillingError(cause, params, call.writes)
    }
  }
}

function toBillingError(cause: UpstreamError, { promocode }: RequestParams, writes: boolean): BillingError {
  const message = `${cause.message}${errorMessageOf(parsedJson(cause.body ?? ""))}`
  if (isCustomerRejection(cause)) return new CustomerRejectedError(message, { cause })
  const reason = reasonAgainstCode(cause)
  if (reason) return new PromotionRefusedError(reason, String(promocode ?? ""), { cause })
  const kind = isKeyRejection(cause) || isBarred(cause) ? "unavailable" : cause.kind
  return new BillingError(kind, message, upstreamFailure(cause, writes))
}

const CodeRejection = z.object({
  error: z.object({ code: z.enum(["promo-code-used", "promo-code-refused"]) }),
})

/** Why the server does not take the promo code of an order; null: it says nothing of one. */
function reasonAgainstCode({ body }: UpstreamError): PromotionRefusedError["reason"] | null {
  const { data } = CodeRejection.safeParse(parsedJson(body ?? ""))
  if (!data) return null
  return data.error.code === "promo-code-used" ? "used-by-person" : "by-billing"
}

const KeyRejection = z.object({ error: z.object({ code: z.literal("invalid-api-key") }) })

/** The server rejects the API key. Only the operator can fix it, so it ends no order and disproves no password. */
function isKeyRejection({ body }: UpstreamError): boolean {
  return KeyRejection.safeParse(parsedJson(body ?? "")).success
}

/** A page instead of an answer, which is too long to be read or begins with a tag: something before the server bars the shop. */
function isBarred({ status, body }: UpstreamError): boolean {
  return (status === UNPROVEN || status === FORBIDDEN) && (body === null || /^\s*</.test(body))
}

const CustomerRejection = z.object({ error: z.object({ code: z.literal("customer-rejected") }) })

/** The server's billing does not let this customer order. Servers without this code send another 4xx. */
function isCustomerRejection({ kind, body }: UpstreamError): boolean {
  return kind === "refused" && CustomerRejection.safeParse(parsedJson(body ?? "")).success
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isUnproven(error: unknown): boolean {
  return error instanceof UpstreamError && error.status === UNPROVEN
}

/** 401 or 403: the server rejected the caller, not the request. */
export function isUnauthorized(error: unknown): boolean {
  const status = statusIn(error)
  return status === UNPROVEN || status === FORBIDDEN
}

function statusIn(error: unknown) {
  return error instanceof BillingError && error.cause instanceof UpstreamError && error.cause.status
}

/** 409: the request conflicts with the current state at the server. */
export function isConflict(error: unknown): boolean {
  return statusIn(error) === CONFLICT
}

const NotFound = z.object({ error: z.object({ code: z.literal("not-found") }) })

/** The server has what the call is about no more, or not for this customer. Servers without this code never say so. */
export function isNotFound(error: unknown): boolean {
  const { cause } = error instanceof BillingError ? error : {}
  return cause instanceof UpstreamError && NotFound.safeParse(parsedJson(cause.body ?? "")).success
}

/** Result of a call; `unknown` if the server says that it has no more what the call is about, or no such customer. */
export async function unlessUnknown<T>(call: Promise<T>): Promise<T | "unknown"> {
  try {
    return await call
  } catch (error) {
    if (!isNotFound(error)) throw error
    return "unknown"
  }
}

/** The server rejected the request: a 4xx other than 401, 403 and 429, or an error in a 200 response. */
export function isRejection(error: unknown): boolean {
  return isRefusedByBilling(error) && !isUnauthorized(error)
}

/** Result of a call; null if the server rejected it. */
export async function nullOnRejection<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (!isRejection(error)) throw error
    return null
  }
}

/**
 * Result of an extra call; null on failures except `unavailable`: older servers reject unknown calls in many ways, also with a
 * page of status 403.
 */
export async function nullIfUnsupported<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    const isPage = error.cause instanceof UpstreamError && isBarred(error.cause)
    if (error.kind === "unavailable" && !isPage) throw error
    return null
  }
}

/** As `nullIfUnsupported`, but only if the server has answered in JSON: a failing one does not say that it has no such call. */
export async function nullIfAnswered<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    if (error.kind !== "refused" && error.cause instanceof UpstreamError) throw error
    return null
  }
}

/** A call that was rejected with status 200. */
class RejectedCall extends BillingError {
  constructor(
    message: string,
    readonly answer: unknown,
  ) {
    super("refused", message)
  }
}

const Message = z.object({ message: TextField })

/** What a server says in a rejection (`message`) if it is a sentence for a buyer; null without one. */
export function sentenceIn(error: unknown): string | null {
  if (!isRejection(error) || !(error instanceof BillingError)) return null
  const { cause } = error
  const body = cause instanceof UpstreamError ? parsedJson(cause.body ?? "") : null
  const answer = error instanceof RejectedCall ? error.answer : body
  return sentenceOf(Message.safeParse(answer).data?.message ?? "")
}

const MAX_SENTENCE = 200

/** A text without markup and line breaks; null if it is too long to be a sentence, or a single word, such as a code. */
export function sentenceOf(text: string): string | null {
  const words = text
    .replace(/<[^<>]*>/g, " ")
    .trim()
    .split(/\s+/)
  const sentence = words.join(" ")
  return words.length > 1 && sentence.length <= MAX_SENTENCE ? sentence : null
}

/** A rejection with status 200. */
const No = z.union([
  z.object({ result: z.string().regex(/^error$/i) }),
  z.object({ status: z.string().regex(/^error$/i) }),
])
/** The API's own error, or the words of another server alone. */
const ErrorText = z.union([
  z
    .object({ error: z.object({ code: z.string().regex(/^[a-z-]{1,40}$/), message: z.string() }) })
    .transform(({ error: { code, message } }) => ({ code, message })),
  z.object({ message: z.string() }).transform(({ message }) => ({ code: "", message })),
  z.object({ error: z.string() }).transform(({ error }) => ({ code: "", message: error })),
])

/** A rejection of a call whose response is not used; elsewhere `error` has a meaning of its own. */
const ErrorInside = z.union([
  z.object({ error: Something.refine((is) => is) }),
  z.object({ success: z.literal(false) }),
])

function parseAs<T>({ path, responseSchema }: Call<T>, value: unknown): T {
  const isUnused: boolean = Object.is(responseSchema, AnyResponse)
  if (No.safeParse(value).success || (isUnused && ErrorInside.safeParse(value).success)) {
    throw new RejectedCall(`The billing server rejected ${path}${errorMessageOf(value)}`, value)
  }
  const parsed = responseSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const { error: cause } = parsed
  const message = `Invalid response of the billing server to ${path}: ${z.prettifyError(cause)}`
  throw new BillingError("unreadable", message, { cause })
}

/** The server's error code and message, without words that may be an address, a number or a password. */
function errorMessageOf(value: unknown): string {
  const { code, message } = ErrorText.safeParse(value).data ?? { code: "", message: "" }
  const words = message.slice(0, 1_000).replace(/\S*[^\sA-Za-z.,'"!?-]\S*/g, "…")
  return [code, words.slice(0, 100)]
    .filter(Boolean)
    .map((it) => `: ${it}`)
    .join("")
}
