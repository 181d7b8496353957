import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { expect, test } from "vitest"
import { securityHeaders } from "./security-headers.server"

test.each([
  ["with TLS has browsers use TLS alone for a year", "https://shop.test", "max-age=31536000"],
  ["without TLS asks browsers for none", "http://127.0.0.1:3000", undefined],
])("a shop %s", (_, publicUrl, expected) => {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  securityHeaders(publicUrl)(response)
  expect(response.getHeader("strict-transport-security")).toBe(expected)
})
