import { once } from "node:events"
import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { Webhook } from "standardwebhooks"
import { type Command, CommandError, UsageError } from "~/cli/command"
import { isWebhookSecret } from "~/domain/webhooks/secret"

const MAX_BODY = 100_000

/** Receives webhooks on this machine, for trying an endpoint: prints each and says whether its signature is right. */
export const listenForWebhooks: Command = {
  about: "receive events on 127.0.0.1, verify and print them, until the command is interrupted",
  args: ["PORT"],
  async run({ args: [port = ""], prompt, write }) {
    const number = /^\d{1,5}$/.test(port) ? Number(port) : Number.NaN
    if (!(number >= 0 && number <= 65_535)) throw new UsageError(`Invalid port "${port}".`)
    const secret = (await prompt("Secret of the endpoint (whsec_…): ")).trim()
    const webhook = secret === "" ? null : webhookOf(secret)
    let received = 0
    await write(
      messages(number, webhook, () => {
        received += 1
      }),
    )
    return { text: `${received} received.`, data: { received } }
  },
}

function webhookOf(secret: string): Webhook {
  if (isWebhookSecret(secret)) return new Webhook(secret)
  throw new CommandError("That is not a secret of Standard Webhooks (whsec_…).")
}

/** The lines to print, one message after the other, until the process is interrupted. */
async function* messages(port: number, webhook: Webhook | null, count: () => void): AsyncGenerator<string> {
  const lines: string[] = []
  let wake = () => {}
  let isOver = false
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const verdict = verdictOf(webhook, request, body)
      lines.push(`${verdict}  ${body}\n`)
      count()
      response.writeHead(verdict === "INVALID" ? 401 : 204).end()
      wake()
    })
  })
  const stop = () => {
    isOver = true
    wake()
  }
  process.once("SIGINT", stop)
  process.once("SIGTERM", stop)
  try {
    await listening(server, port)
    yield `Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/\n`
    while (!isOver) {
      const line = lines.shift()
      if (line !== undefined) yield line
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  } finally {
    process.off("SIGINT", stop)
    process.off("SIGTERM", stop)
    server.close()
    server.closeAllConnections()
  }
}

async function listening(server: Server, port: number): Promise<void> {
  server.listen(port, "127.0.0.1")
  try {
    await once(server, "listening")
  } catch (cause) {
    const { code = "" } = cause as NodeJS.ErrnoException
    const why = code === "EADDRINUSE" ? "another program listens there" : code
    throw new CommandError(`Cannot listen on port ${port}: ${why}.`, { cause })
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength
    if (size > MAX_BODY) break
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8")
}

function verdictOf(webhook: Webhook | null, { headers }: IncomingMessage, body: string): string {
  if (webhook === null) return "not verified"
  try {
    webhook.verify(body, {
      "webhook-id": String(headers["webhook-id"]),
      "webhook-timestamp": String(headers["webhook-timestamp"]),
      "webhook-signature": String(headers["webhook-signature"]),
    })
    return "verified"
  } catch {
    return "INVALID"
  }
}
