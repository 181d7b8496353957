import { type IncomingMessage, request } from "node:http"
import { setTimeout as pause } from "node:timers/promises"
import type { NewConnection } from "./history"
import { LONGEST_WAIT } from "./history-violations"

const OPENS_EVERY = 50
/** Longer than any allowed wait, so that a late answer is told from none. */
const GIVES_UP_AFTER = LONGEST_WAIT * 2

/** Opens one connection after the other to a URL until it is stopped; none is used twice. */
export function watchNewConnections(url: string): { stop(): Promise<readonly NewConnection[]> } {
  const connections: NewConnection[] = []
  const stopping = new AbortController()
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      const from = Date.now()
      const isAnswered = await answered(url)
      connections.push({ from, until: Date.now(), isAnswered })
      await pause(OPENS_EVERY)
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await watching
      return connections
    },
  }
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
