import { randomBytes } from "node:crypto"
import { Webhook } from "standardwebhooks"
import { type Instant, SECOND } from "~/domain/calendar"
import { type AddressPolicy, problemOfUrl, type UrlProblem } from "~/http/public-address.server"
import { type PublicClient, publicClient } from "~/http/public-client.server"
import type { Seal } from "~/security/cookie-encryption.server"
import type { SendResult, WebhookConnection, WebhookMessage, WebhookSender } from "./webhook-sender"

const TIMEOUT_MS = 15 * SECOND
/** The most of a response that is kept. */
const MAX_RESPONSE_BYTES = 2_000
const MAX_URL = 2_000

const problems: Readonly<Record<UrlProblem, string>> = {
  invalid: "it is not a URL",
  "not-https": "it must begin with https://",
  "user-info": "it must not contain a user name or password",
  address: "its address is not public: WEBHOOK_ALLOW lists networks that are allowed",
}

type Settings = {
  readonly seal: Seal
  readonly policy: AddressPolicy
  /** The clock by which receivers check the age of a message. */
  readonly now: () => Instant
}

/** Signs by Standard Webhooks and sends to public addresses only. `seal` encrypts the secrets that are stored. */
export function standardWebhookSender({ seal, policy, now }: Settings): WebhookSender {
  return {
    problemOf(url) {
      if (url.length > MAX_URL) return `it is longer than ${MAX_URL} characters`
      const problem = problemOfUrl(url, policy)
      return problem && problems[problem]
    },
    newSecret() {
      const secret = `whsec_${randomBytes(32).toString("base64")}`
      return { secret, sealed: seal.seal(secret) }
    },
    open(connections): WebhookConnection {
      const client = publicClient(policy, { connections })
      return { send: (message, signal) => send(client, { seal, now, message, signal }), close: client.close }
    },
  }
}

type Sending = Pick<Settings, "seal" | "now"> & {
  readonly message: WebhookMessage
  readonly signal: AbortSignal
}

async function send(client: PublicClient, { seal, now, message, signal }: Sending): Promise<SendResult> {
  const { id, body, url, sealedSecrets } = message
  const at = now()
  const secrets = sealedSecrets.map((it) => seal.open(it)).filter((it) => it !== null)
  if (secrets.length === 0) return unsent("secret not readable: OPERATOR_SECRETS has changed")
  const date = new Date(at)
  const headers = {
    "content-type": "application/json",
    "user-agent": "Boxoffice-Webhooks",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at / SECOND)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, date, body)).join(" "),
  }
  const started = performance.now()
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_RESPONSE_BYTES }
  const { status, error, text, retryAfter } = await client.post({ url, headers, body, signal, ...limits })
  const tookMs = Math.round(performance.now() - started)
  return { status, error: error ?? problemOfStatus(status ?? 0), response: text, retryAfter, tookMs }
}

function unsent(error: string): SendResult {
  return { status: null, error, response: "", retryAfter: null, tookMs: 0 }
}

function problemOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? `redirect (${status})` : `status ${status}`
}
