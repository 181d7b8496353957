import { setupServer } from "msw/node"
import { afterAll, afterEach, beforeAll } from "vitest"
import { btcpayHandlers } from "./btcpay"
import { coinbaseHandlers } from "./coinbase"
import { cryptomusHandlers } from "./cryptomus"
import { offshoreHandlers } from "./offshore"
import { panelHandlers } from "./panel"

/**
 * All upstreams on a good day, for the test file that calls this at its top level: it sends nothing to the outside.
 * A call and not an import, because test files of one worker share what they import.
 */
export function interceptUpstreams() {
  const server = setupServer(
    ...[...btcpayHandlers, ...coinbaseHandlers, ...cryptomusHandlers, ...offshoreHandlers, ...panelHandlers],
  )
  beforeAll(() => server.listen({ onUnhandledFrame: "error" }))
  afterEach(() => server.resetHandlers())
  afterAll(() => server.close())
  return server
}
