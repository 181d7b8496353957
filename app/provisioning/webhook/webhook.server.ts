import { Webhook } from "standardwebhooks"
import { z } from "zod"
import type { Instant } from "~/domain/calendar"
import type { Service } from "~/domain/service"
import { textOf } from "~/http/get-text.server"
import { jsonClient } from "~/http/json-client.server"
import { UpstreamError, type UpstreamFailure } from "~/http/upstream-error"
import { type Provisioner, ProvisioningError, type WorkingLine } from "~/provisioning/provisioner"
import { type LineEvent, lineMessage } from "./line-event.server"
import { channelListAddress, panelBase } from "./xtream-url"

export type WebhookSettings = {
  /** Where the panel takes messages, all of them. */
  url: string
  /** Standard Webhooks secret (`whsec_…`) by which the panel knows that it is us. */
  secret: string
  /** For one call with its repeats, in milliseconds. */
  timeoutMs: number
  now: () => Instant
  /** Waits before repeats, in milliseconds, where the usual ones do not suit. */
  retryDelaysMs?: readonly number[]
}

/** `host`: where players connect; the panel's channel lists are below it. */
const Access = z.object({ host: z.url({ protocol: /^https?$/ }).transform(panelBase) })
/** The panel has done it. Anything but a JSON object is somebody else's page. */
const AcceptedResponse = z.object({})

/** Lists of films make it long. In bytes. */
const MAX_LIST = 32 * 1024 * 1024

/**
 * Lines at the operator's panel, which is told by signed messages (Standard Webhooks 1.0): `{type, timestamp, data}`,
 * `data` being the line. Channel lists are fetched from the host that the panel has named, as Xtream-style panels
 * hand them out. Throws at once when the secret cannot be one.
 */
export function webhookProvisioner(settings: WebhookSettings): Provisioner {
  const { url, secret, timeoutMs, now } = settings
  const key = new Webhook(secret)
  const client = jsonClient(settings)

  async function postEvent<T>(type: LineEvent, line: Service, as: z.ZodType<T>): Promise<T> {
    const at = new Date(now())
    const { id, data } = lineMessage(type, line, secret)
    const sign = (text: string) => ({
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": key.sign(id, at, text),
    })
    const body = { type, timestamp: at.toISOString(), data }
    return client.post(url, { body, as, idempotencyKey: id, sign })
  }

  const sendEvent = (type: LineEvent) => async (line: Service) => {
    await withProvisioningErrors(type, postEvent(type, line, AcceptedResponse))
  }
  return {
    create: (line) => withProvisioningErrors("line.create", postEvent("line.create", line, Access)),
    terminate: async (line) => {
      await withProvisioningErrors(
        "line.terminate",
        postEvent("line.terminate", line, AcceptedResponse).catch(goneAlready),
      )
    },
    restart: sendEvent("line.restart"),
    setDeviceAddress: sendEvent("line.device"),
    setConnections: sendEvent("line.connections"),
    playlist: (line) => withProvisioningErrors("playlist", channelList(line, timeoutMs)),
    playlistAddress: channelListAddress,
  }
}

function goneAlready(error: unknown): void {
  const gone = error instanceof UpstreamError && (error.status === 404 || error.status === 410)
  if (!gone) throw error
}

/** Asked for a line they do not know, many panels answer with nothing and call it success. */
async function channelList(line: WorkingLine, timeoutMs: number): Promise<string> {
  const list = await textOf(new URL(channelListAddress(line)), { timeoutMs, maxBytes: MAX_LIST })
  if (list.startsWith("#EXTM3U")) return list
  throw new UpstreamError("unreadable", "no channel list")
}

const messages: Record<UpstreamFailure, string> = {
  unavailable: "the panel does not answer",
  refused: "the panel refuses",
  unreadable: "the panel answers nonsense",
}

/**
 * Tells failures in words of our own: the panel's address, its answers and the addresses of channel lists may hold
 * secrets.
 */
async function withProvisioningErrors<T>(what: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    const { kind, status, cause } = error
    const details = [status, cause instanceof z.ZodError && z.prettifyError(cause)].filter(Boolean)
    const message = [`${what}: ${messages[kind]}`, ...details].join(", ")
    // A broken line is worth knowing in full; what could not be read is quoted by its error.
    throw new ProvisioningError(message, { cause: kind === "unavailable" ? cause : undefined })
  }
}
