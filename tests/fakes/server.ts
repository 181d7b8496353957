import { setupServer } from "msw/node"
import { afterAll, afterEach, beforeAll } from "vitest"
import { btcpayHandlers } from "./btcpay"
import { coinbaseHandlers } from "./coinbase"
import { cryptomusHandlers } from "./cryptomus"
import { offshoreHandlers } from "./offshore"
import { panelHandlers } from "./panel"

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
  beforeAll(() => server.listen({ onUnhandledFrame: "error" }))
  afterEach(() => server.resetHandlers())
  afterAll(() => server.close())
  return server
}
