import { Webhook } from "standardwebhooks"
import { z } from "zod"
import type { Instant } from "~/domain/calendar"
import type { Service } from "~/domain/services/service"
import { jsonClient } from "~/http/json-client.server"
import { streamOf } from "~/http/streamed-body.server"
import { UpstreamError, type UpstreamFailure } from "~/http/upstream-error"
import { type Provisioner, ProvisioningError, type WorkingLine } from "~/provisioning/provisioner"
import { lineMessage } from "./line-event.server"
import type { Line, LineEvent } from "./line-message"
import { channelListAddress, panelBase } from "./xtream-url"

export type WebhookSettings = {
  /** URL of the panel's webhook. */
  url: string
  /** Standard Webhooks secret (`whsec_…`) that signs the messages. */
  secret: string
  /** Timeout of a call including retries, in milliseconds. */
  timeoutMs: number
  now: () => Instant
  /** Delays before retries in milliseconds, if not the defaults. */
  retryDelaysMs?: readonly number[]
}

/** `host`: server URL for players; the panel's playlists are below it. */
const Access = z.object({ host: z.url({ protocol: /^https?$/ }).transform(panelBase) })
/** Success response: any JSON object. Anything else is not the panel's. */
const AcceptedResponse = z.object({})

/** Maximum playlist size in bytes; lists of films are long. */
const MAX_LIST = 32 * 1024 * 1024

/**
 * Provisioner for an operator's panel by signed messages (Standard Webhooks 1.0): `{type, timestamp, data}`, with the
 * service as `data`. Playlists are fetched from the host that the panel returned, as Xtream-style panels serve them. Throws
 * on creation if the secret is invalid.
 */
export function webhookProvisioner(settings: WebhookSettings): Provisioner {
  const { url, secret, timeoutMs, now } = settings
  const key = new Webhook(secret)
  const client = jsonClient(settings)
  const ordered = neverEarlier(now)

  async function postEvent<T>(
    type: LineEvent,
    line: Service & Pick<Line, "credits">,
    as: z.ZodType<T>,
  ): Promise<T> {
    const at = new Date(now())
    const timestamp = new Date(ordered()).toISOString()
    const { id, data } = lineMessage(type, line, secret)
    const sign = (text: string) => ({
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": key.sign(id, at, text),
    })
    const body = { type, timestamp, data }
    return client.post(url, { body, as, idempotencyKey: id, sign })
  }

  const sendEvent = (type: LineEvent) => async (line: Service & Pick<Line, "credits">) => {
    await withProvisioningErrors(type, postEvent(type, line, AcceptedResponse))
  }
  /** A line that the panel does not have gives no access either. */
  const endAccess = (type: LineEvent) => async (line: Service) => {
    await withProvisioningErrors(type, postEvent(type, line, AcceptedResponse).catch(goneAlready))
  }
  return {
    create: (line) => withProvisioningErrors("line.create", postEvent("line.create", line, Access)),
    terminate: endAccess("line.terminate"),
    suspend: endAccess("line.suspend"),
    extend: sendEvent("line.extend"),
    resume: sendEvent("line.resume"),
    restart: sendEvent("line.restart"),
    setDeviceAddress: sendEvent("line.device"),
    setConnections: sendEvent("line.connections"),
    setCredits: (account, credits) => sendEvent("line.credits")({ ...account, credits }),
    setPlan: sendEvent("line.plan"),
    playlist: (line) => withProvisioningErrors("playlist", channelList(line, timeoutMs)),
    playlistAddress: channelListAddress,
  }
}

/**
 * Times of messages in the order in which they are sent, by which the panel recognises a late one: a clock that goes back
 * must not make every message late until it has caught up. The signature has the clock's own time, which receivers check.
 */
function neverEarlier(now: () => Instant): () => Instant {
  let last = 0
  return () => {
    last = Math.max(now(), last)
    return last
  }
}

function goneAlready(error: unknown): void {
  const gone = error instanceof UpstreamError && (error.status === 404 || error.status === 410)
  if (!gone) throw error
}

/** Every playlist starts with `#EXTM3U`, possibly after a byte order mark of three bytes. */
const START = /^(#EXTM3U|\ufeff#EXT)$/
const START_BYTES = 7

/** Throws on an empty playlist: many panels answer 200 with an empty body for an unknown service. */
async function channelList(line: WorkingLine, timeoutMs: number): Promise<AsyncIterable<Uint8Array>> {
  const limits = { timeoutMs, maxBytes: MAX_LIST, startBytes: START_BYTES }
  const { start, bytes } = await streamOf(new URL(channelListAddress(line)), limits)
  if (START.test(start.toString())) return withStreamErrors(bytes)
  for await (const _ of bytes) break
  throw new UpstreamError("unreadable", "not an M3U playlist")
}

async function* withStreamErrors(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes
  } catch (error) {
    throw provisioningError("playlist", error)
  }
}

const messages: Record<UpstreamFailure, string> = {
  unavailable: "the panel is unavailable",
  refused: "the panel rejected the call",
  unreadable: "the panel sent an invalid response",
}

/**
 * Replaces upstream errors by our own messages: the panel's URL, responses and playlist URLs may contain secrets.
 */
async function withProvisioningErrors<T>(what: string, promise: Promise<T>): Promise<T> {
  try {
    return await promise
  } catch (error) {
    throw provisioningError(what, error)
  }
}

function provisioningError(what: string, error: unknown): unknown {
  if (!(error instanceof UpstreamError)) return error
  const { kind, status, cause, retryAfterMs } = error
  const details = [status, cause instanceof z.ZodError && z.prettifyError(cause)].filter(Boolean)
  const message = [`${what}: ${messages[kind]}`, ...details].join(", ")
  // A transport error is kept as cause; a parse error would quote the response.
  return new ProvisioningError(message, {
    cause: kind === "unavailable" ? cause : undefined,
    isRefusal: kind === "refused",
    retryAfterMs: retryAfterMs ?? 0,
  })
}
