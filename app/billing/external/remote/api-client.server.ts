import { z } from "zod"
import { BillingError } from "~/billing/billing"
import { jsonClient } from "~/http/json-client.server"
import { UpstreamError } from "~/http/upstream-error"
import type { Tokens } from "./token-cache.server"

/** One of their calls: where it is, and how its answer is read. */
export type Call<T> = {
  readonly method: "GET" | "POST"
  readonly path: string
  /** It changes something there, whatever its method: it is made once. */
  readonly writes: boolean
  readonly answer: z.ZodType<T>
}

/** What is sent; what is null is left out. */
export type RequestParams = Readonly<Record<string, string | number | boolean | null>>

/** Whom a call is about: somebody with a name of theirs, or whoever has just been given a token. */
export type Who = { readonly customerId: string } | { readonly token: string }

/** Asks one call of theirs, with the token of whom it is about. Every failure is a `BillingError`. */
export type RemoteCall = <T>(call: Call<T>, params: RequestParams, who?: Who) => Promise<T>

export type LineSettings = {
  /** Where the server is: its calls are below `/checkout/api`. */
  readonly url: string
  /** The first is sent. */
  readonly keys: readonly string[]
  /** For one call with its repeats, in milliseconds; 30 000 unless said otherwise. */
  readonly timeoutMs?: number
  /** Waits before repeats of calls that only read, in milliseconds, where the usual ones do not suit. */
  readonly retryDelaysMs?: readonly number[]
}

/** The customer's token has ended, or there was none. */
const UNPROVEN = 401
const FORBIDDEN = 403
const CONFLICT = 409

/**
 * The line to them: the API key with every call, the customer's token where there is one and anew where it has ended,
 * repeats for calls that only read. `onAnswer` is shown the headers of every answer.
 */
export function createApiClient(
  settings: LineSettings,
  tokens: Tokens,
  onAnswer: (headers: Headers) => void,
): RemoteCall {
  const { url, keys, timeoutMs, retryDelaysMs } = settings
  const client = jsonClient({
    ...{ url: `${url}/checkout/api`, headers: { "x-api-key": keys[0] ?? "" }, onAnswer },
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

  /** Whoever is turned away has done nothing: with a new token even a call that writes may be made again. */
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
      const answer = "token" in who ? sent(call, params, who.token) : provenly(call, params, who.customerId)
      return parseAs(call, await answer)
    } catch (cause) {
      if (!(cause instanceof UpstreamError)) throw cause
      const { mayBeAtWork } = cause
      throw new BillingError(cause.kind, cause.message, { cause, mayBeAtWork })
    }
  }
}

function isUnproven(error: unknown): boolean {
  return error instanceof UpstreamError && error.status === UNPROVEN
}

/** Not what was asked is refused, but whoever asks. */
export function isUnauthorized(error: unknown): boolean {
  const status = statusIn(error)
  return status === UNPROVEN || status === FORBIDDEN
}

function statusIn(error: unknown) {
  return error instanceof BillingError && error.cause instanceof UpstreamError && error.cause.status
}

/** What was asked does not fit how things are there by now. */
export function isConflict(error: unknown): boolean {
  return statusIn(error) === CONFLICT
}

/** They have said no to what was asked. */
export function isRejection(error: unknown): boolean {
  return error instanceof BillingError && error.kind === "refused" && !isUnauthorized(error)
}

/** What came of it; null where they said no. */
export async function nullOnRejection<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (!isRejection(error)) throw error
    return null
  }
}

/** What an extra call came to; null from a server that does not have it, in whatever words it says so. */
export async function nullIfUnsupported<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof BillingError) || error.kind === "unavailable") throw error
    return null
  }
}

/** What a call was answered with 200 for and is none the less a no. */
const No = z.union([
  z.object({ result: z.string().regex(/^error$/i) }),
  z.object({ status: z.string().regex(/^error$/i) }),
])
const Message = z.object({ message: z.string().max(1_000) }).transform(({ message }) => message)

function parseAs<T>({ path, answer }: Call<T>, value: unknown): T {
  if (No.safeParse(value).success) {
    throw new BillingError("refused", `The billing server rejected ${path}${errorMessageOf(value)}`)
  }
  const parsed = answer.safeParse(value)
  if (parsed.success) return parsed.data
  const { error: cause } = parsed
  const message = `The billing server answered ${path} with nonsense: ${z.prettifyError(cause)}`
  throw new BillingError("unreadable", message, { cause })
}

/** Their own words, without what may be an address, a number or a password in them. */
function errorMessageOf(value: unknown): string {
  const message = Message.safeParse(value).data?.replace(/\S*[^\sA-Za-z.,'"!?-]\S*/g, "…")
  return message ? `: ${message.slice(0, 100)}` : ""
}
