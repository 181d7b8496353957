import { once } from "node:events"
import { createServer, type IncomingMessage, request } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import type { NewConnection } from "./history"
import { LONGEST_WAIT } from "./history-violations"

const OPENS_EVERY = 50
/** Longer than any allowed wait, so that a late answer is told from none. */
const GIVES_UP_AFTER = LONGEST_WAIT * 2

/**
 * Opens one connection after the other to a URL until it is stopped; none is used twice. At the same time each opens one
 * to a bare server, whose answer shows how much of the wait is the machine's.
 */
export async function watchNewConnections(
  url: string,
): Promise<{ stop(): Promise<readonly NewConnection[]> }> {
  const bare = createServer((_, response) => response.end()).listen(0, "127.0.0.1")
  await once(bare, "listening")
  const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}`
  const connections: NewConnection[] = []
  const stopping = new AbortController()
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      const [shop, machine] = await Promise.all([opened(url), opened(bareUrl)])
      const { from, until, isAnswered } = shop
      connections.push({ from, until, isAnswered, bareWait: machine.until - machine.from })
      await pause(OPENS_EVERY)
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await watching
      bare.close()
      return connections
    },
  }
}

async function opened(url: string): Promise<Omit<NewConnection, "bareWait">> {
  const from = Date.now()
  const isAnswered = await answered(url)
  return { from, until: Date.now(), isAnswered }
}

function answered(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const opened = request(url, { agent: false, timeout: GIVES_UP_AFTER }, (response: IncomingMessage) => {
      resolve(true)
      response.resume()
    })
    opened.on("timeout", () => opened.destroy())
    opened.on("error", () => resolve(false))
    opened.on("close", () => resolve(false))
    opened.end()
  })
}
