import { setupServer } from "msw/node"
import { afterAll, afterEach, beforeAll } from "vitest"
import { btcpayHandlers } from "./btcpay"
import { coinbaseHandlers } from "./coinbase"
import { cryptomusHandlers } from "./cryptomus"
import { offshoreHandlers } from "./offshore"
import { panelHandlers } from "./panel"
import { redirectAgents } from "./redirect-agents"

/**
 * Installs all fault-free upstreams for the test file that calls this at its top level, and blocks all other requests.
 * It is a function, because test files of one worker share their imports.
 */
export function interceptUpstreams() {
  const server = setupServer(
    ...btcpayHandlers,
    ...coinbaseHandlers,
    ...cryptomusHandlers,
    ...offshoreHandlers,
    ...panelHandlers(),
  )
  let stop = () => {}
  beforeAll(() => {
    server.listen({ onUnhandledFrame: "error" })
    stop = redirectAgents((request) => fetch(request))
  })
  afterEach(() => server.resetHandlers())
  afterAll(() => {
    stop()
    server.close()
  })
  return server
}
