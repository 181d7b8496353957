import { type LookupAddress, type LookupOptions, lookup as systemLookup } from "node:dns"
import type { Agent } from "undici"
import { connectionProblem } from "./connection-problem"
import { type AddressPolicy, isAddressAllowed, problemOfUrl, type UrlProblem } from "./public-address.server"
import { stripNul } from "./strip-nul"
import { sendBy, type UpstreamResponse } from "./upstream-client.server"

const CONNECT_MS = 5_000

/** Result of a request: the status, or why there is none. */
export type PublicResponse = {
  /** Null: there was no response. */
  readonly status: number | null
  /** Why it counts as failed without a status; never an address or a part of the URL. */
  readonly error: string | null
  /** The beginning of the response's body. */
  readonly text: string
  readonly retryAfter: string | null
}

export type PublicRequest = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** All of the request, in milliseconds. */
  readonly timeoutMs: number
  /** The most of the response's body that is read, in bytes. */
  readonly maxBytes: number
  readonly signal: AbortSignal
}

export type PublicClient = {
  /** Posts once and never throws. Redirects are not followed. */
  post(request: PublicRequest): Promise<PublicResponse>
  /** Closes the connections. */
  close(): Promise<void>
}

type Lookup = (
  hostname: string,
  options: LookupOptions & { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * HTTP client for URLs that an operator has typed: it connects to allowed addresses only. The addresses of a name are
 * checked when connecting, with each new connection, so that a name cannot change between a check and its use. `connections`: at
 * most so many at once.
 */
export function publicClient(
  policy: AddressPolicy,
  { connections, resolve = systemLookup }: { readonly connections: number; readonly resolve?: Lookup },
): PublicClient {
  const lookup = publicLookup(policy, resolve)
  let agent: Promise<Agent> | null = null
  /** Loaded with the first request: few shops send any. */
  async function openAgent(): Promise<Agent> {
    const { Agent } = await import("undici")
    return new Agent({ connections, connect: { timeout: CONNECT_MS, lookup }, keepAliveTimeout: 10_000 })
  }
  return {
    async post(request) {
      agent ??= openAgent()
      return post(await agent, policy, request)
    },
    close: async () => (await agent)?.destroy(),
  }
}

class RefusedAddressError extends Error {
  override name = "RefusedAddressError"
  readonly code = "REFUSED_ADDRESS"
}

type Looked = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void

/** Resolves all addresses of a name; one that is not allowed refuses the name. */
function publicLookup(policy: AddressPolicy, resolve: Lookup) {
  return (hostname: string, options: LookupOptions, done: Looked): void => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const problem = error ?? problemOf(addresses, policy)
      pass(options, problem, problem === null ? addresses : [], done)
    })
  }
}

function problemOf(addresses: readonly LookupAddress[], policy: AddressPolicy): Error | null {
  return addresses.length > 0 && areAllowed(addresses, policy)
    ? null
    : new RefusedAddressError("address not allowed")
}

/** Passes one address or all, as the socket has asked. */
function pass({ all }: LookupOptions, error: Error | null, addresses: LookupAddress[], done: Looked): void {
  const [first] = addresses
  if (all || !first) done(error, addresses)
  else done(error, first.address, first.family)
}

function areAllowed(addresses: readonly LookupAddress[], policy: AddressPolicy): boolean {
  return addresses.every(({ address }) => isAddressAllowed(address, policy))
}

const problems: Readonly<Record<UrlProblem, string>> = {
  invalid: "invalid URL",
  "not-https": "not https",
  "user-info": "user name in the URL",
  address: "address not allowed",
}

async function post(
  agent: Agent,
  policy: AddressPolicy,
  { url, headers, body, timeoutMs, maxBytes, signal }: PublicRequest,
): Promise<PublicResponse> {
  const problem = problemOfUrl(url, policy)
  if (problem !== null) return failed(problems[problem])
  const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  try {
    const request = { method: "POST", url: new URL(url), headers, body } as const
    const response = await sendBy(agent, request, limited)
    const text = await beginningOf(response, maxBytes)
    return { status: response.status, error: null, text, retryAfter: response.headers.get("retry-after") }
  } catch (error) {
    return failed(connectionProblem(error))
  }
}

function failed(error: string): PublicResponse {
  return { status: null, error, text: "", retryAfter: null }
}

/** Leaving the loop early cancels the stream, so the rest is not fetched. A body that breaks off changes nothing: the status counts. */
async function beginningOf({ body }: UpstreamResponse, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      size += chunk.byteLength
      if (size >= maxBytes) break
    }
  } catch {
    // What has arrived until then is shown.
  }
  return stripNul(new TextDecoder().decode(Buffer.concat(chunks).subarray(0, maxBytes)))
}
