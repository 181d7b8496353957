import { setupServer } from "msw/node"
import { afterAll, afterEach, beforeAll } from "vitest"
import { btcpayHandlers } from "./btcpay"
import { coinbaseHandlers } from "./coinbase"
import { cryptomusHandlers } from "./cryptomus"
import { offshoreHandlers } from "./offshore"
import { panelHandlers } from "./panel"

/** All neighbours on a good day. A test file that imports it talks to nobody outside. */
export const server = setupServer(
  ...[...btcpayHandlers, ...coinbaseHandlers, ...cryptomusHandlers, ...offshoreHandlers, ...panelHandlers],
)

beforeAll(() => server.listen({ onUnhandledFrame: "error" }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())
