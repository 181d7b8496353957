import { setupServer } from "msw/node"
import { afterAll, afterEach, beforeAll } from "vitest"
import { offshoreHandlers } from "./offshore"

/** All neighbours on a good day. A test file that imports it talks to nobody outside. */
export const server = setupServer(...offshoreHandlers)

beforeAll(() => server.listen({ onUnhandledFrame: "error" }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())
