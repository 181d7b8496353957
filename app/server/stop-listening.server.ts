import type { Server } from "node:http"
import { setImmediate as nextTurn } from "node:timers/promises"
import { SECOND } from "~/domain/calendar"

/** Time that requests in flight have to finish. */
export const DRAIN_TIME = 10 * SECOND
const IDLE_LOOK = SECOND / 10
/** Connections that come without a pause are not waited for any longer. */
const ACCEPTS_FOR = SECOND

/** Stops listening and finishes the requests in flight; what takes longer than `DRAIN_TIME` loses its connection. */
export async function stopListening(server: Server): Promise<void> {
  await acceptWaiting(server)
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // Browsers keep connections open after the last response; without this, each would delay the stop by `DRAIN_TIME`.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_LOOK)
  const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_TIME)
  await closed
  clearInterval(idle)
  clearTimeout(deadline)
}

/**
 * Accepts the connections that clients have opened already. While the event loop is busy they wait in the kernel, which resets
 * them with the socket that listens: a request would be lost that a load balancer takes for delivered.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let accepted = true
  const note = () => {
    accepted = true
  }
  server.on("connection", note)
  const until = performance.now() + ACCEPTS_FOR
  while (accepted && performance.now() < until) {
    accepted = false
    // The kernel is asked for connections between two turns.
    await nextTurn()
    await nextTurn()
  }
  server.off("connection", note)
}
