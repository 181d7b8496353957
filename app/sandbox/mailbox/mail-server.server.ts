import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { text } from "node:stream/consumers"
import type { Logger } from "pino"
import type { SMTPServer, SMTPServerDataStream, SMTPServerSession } from "smtp-server"
import type { Instant } from "~/domain/calendar"
import type { DeliveryOutcome } from "./delivery-outcomes"
import type { Messages } from "./messages.server"

const MAX_MESSAGE = 1024 * 1024

/** The mail server always listens on loopback: it needs no password and shows what it gets. */
const LOOPBACK = "127.0.0.1"

export type MailServer = { readonly url: string; close(): Promise<void> }

type MailServerSettings = { messages: Messages; port: number; now: () => Instant; log: Logger }

/**
 * Starts an SMTP server (RFC 5321) that keeps every message it accepts. Port 0 takes a free one. What speaks the protocol is loaded
 * with the first connection.
 */
export async function startMailServer({ messages, port, now, log }: MailServerSettings): Promise<MailServer> {
  const sockets = new Set<Socket>()
  let smtp: Promise<SMTPServer> | null = null

  async function openSmtp(): Promise<SMTPServer> {
    const { SMTPServer } = await import("smtp-server")
    const opened = new SMTPServer({
      authOptional: true,
      disabledCommands: ["AUTH", "STARTTLS"],
      disableReverseLookup: true,
      size: MAX_MESSAGE,
      logger: false,
      onRcptTo(_recipient, _session, done) {
        done(messages.outcome() === "reject" ? refusal(550, "5.1.1 No such mailbox") : null)
      },
      onData(stream, session, done) {
        receive(stream, session)
          .then((outcome) => answer(outcome, { done, cut: () => socketOf(sockets, session)?.destroy() }))
          .catch((error: unknown) => {
            log.error({ err: error }, "sandbox error")
            done(putOff)
          })
      },
    })
    return opened.on("error", (error) => log.debug({ err: error }, "sandbox mail connection failed"))
  }

  async function receive(stream: SMTPServerDataStream, { envelope }: SMTPServerSession) {
    const source = await text(stream)
    if (stream.sizeExceeded) return "too-big"
    const outcome = messages.outcome()
    const { mailFrom, rcptTo } = envelope
    // A server that hangs or breaks off after the final dot has the message; the sender cannot know.
    if (outcome !== "later")
      messages.add({
        at: now(),
        envelopeFrom: mailFrom ? mailFrom.address : "",
        envelopeTo: rcptTo.map(({ address }) => address).join(", "),
        source,
      })
    return outcome
  }

  const server = createServer(async (socket) => {
    sockets.add(socket)
    socket.once("close", () => sockets.delete(socket))
    // A client that breaks off before the library listens is no error of the process.
    socket.on("error", () => {})
    smtp ??= openSmtp()
    const { server: accepting } = await smtp
    accepting.emit("connection", socket)
  })
  server.listen(port, LOOPBACK)
  await once(server, "listening")
  return {
    url: `smtp://${LOOPBACK}:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, "close")
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

type Answer = { done: (error?: Error | null, message?: string) => void; cut: () => void }

/** Answers the final dot of a message. */
function answer(outcome: DeliveryOutcome | "too-big", { done, cut }: Answer): void {
  if (outcome === "too-big") done(refusal(552, "5.3.4 Message too big"))
  else if (outcome === "later") done(putOff)
  else if (outcome === "cut") cut()
  else if (outcome !== "hang") done(null, "2.0.0 Accepted")
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

const putOff = refusal(451, "4.3.0 Try again later")

function socketOf(sockets: ReadonlySet<Socket>, { remotePort }: { remotePort: number }): Socket | undefined {
  return [...sockets].find((socket) => socket.remotePort === remotePort)
}
