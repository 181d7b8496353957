import { type Instant, SECOND } from "~/domain/calendar"
import { type RawCallback, type SignedCallback, UntrustedCallbackError } from "~/gateways/gateway"
import { bodyOf, checkFresh, checkSignature } from "~/gateways/webhook.server"
import { hmacSha256 } from "~/security/signature.server"

/** Parts of the `X-Hook0-Signature` header. */
type Signature = {
  readonly t: string
  readonly v0: string | null
  /** Names of the signed headers, in the order of signing. */
  readonly h: string
  readonly v1: string | null
}

/**
 * Verifies a Hook0 signature with any of the secrets, and returns the body. If `v1` is present it alone decides, and
 * every header it names must be present. The timestamp may differ by five minutes. Throws `UntrustedCallbackError`.
 */
export function openHook0(callback: RawCallback, secrets: readonly string[]): Buffer {
  const body = bodyOf(callback)
  const signature = read(callback.headers.get("x-hook0-signature") ?? "")
  checkFresh(Number(signature.t), callback.at)
  const { given, signed } =
    signature.v1 === null ? plain(signature, callback) : withHeaders(signature, callback)
  checkSignature(
    [given.toLowerCase()],
    secrets.map((secret) => hmacSha256(secret, ...signed).toString("hex")),
  )
  return body
}

function read(text: string): Signature {
  const parts = new Map(text.split(",").map((part) => split(part.trim())))
  const [t = "", h = ""] = [parts.get("t"), parts.get("h")]
  const [v0 = null, v1 = null] = [parts.get("v0"), parts.get("v1")]
  if (!/^[1-9]\d{0,11}$/.test(t) || (v0 === null && v1 === null)) {
    throw new UntrustedCallbackError("x-hook0-signature is missing or malformed")
  }
  return { t, h, v0, v1 }
}

function split(part: string): [string, string] {
  const at = part.indexOf("=")
  return [part.slice(0, at), part.slice(at + 1)]
}

type SignedContent = { readonly given: string; readonly signed: readonly (string | Buffer)[] }

function plain({ t, v0 }: Signature, { body }: RawCallback): SignedContent {
  return { given: v0 ?? "", signed: [`${t}.`, body] }
}

function withHeaders({ t, h, v1 }: Signature, { headers, body }: RawCallback): SignedContent {
  const values = h.split(" ").map((name) => {
    const value = /^[\w-]+$/.test(name) ? headers.get(name) : null
    if (value === null) throw new UntrustedCallbackError("a signed header is missing")
    return value
  })
  return { given: v1 ?? "", signed: [`${t}.${h}.${values.join(".")}.`, body] }
}

/** A callback of a type that is about no payment, signed with the first secret. */
export function signedTest([secret = ""]: readonly string[], at: Instant): SignedCallback {
  const body = JSON.stringify({ eventType: "callback.test" })
  const time = Math.floor(at / SECOND)
  const signature = hmacSha256(secret, `${time}.`, body).toString("hex")
  return {
    headers: { "content-type": "application/json", "x-hook0-signature": `t=${time},v0=${signature}` },
    body,
  }
}
