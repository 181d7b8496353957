import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { expect, test } from "vitest"
import { clientAddress } from "./client-ip.server"

type Row = [
  case_: string,
  trusted: string[],
  peer: string | undefined,
  forwarded: string | undefined,
  string | null,
]

test.each<Row>([
  ["without proxies", [], "198.51.100.7", undefined, "198.51.100.7"],
  ["without proxies, with an IPv4-mapped IPv6 address", [], "::ffff:198.51.100.7", undefined, "198.51.100.7"],
  ["without proxies, by IPv6", [], "2001:db8::7", undefined, "2001:db8::7"],
  ["without proxies, with a forged header", [], "198.51.100.7", "203.0.113.9", "198.51.100.7"],
  ["disconnected already", [], undefined, "203.0.113.9", null],
  ["not from the proxy, with a forged header", ["10.0.0.1"], "198.51.100.7", "203.0.113.9", "198.51.100.7"],
  ["behind a proxy", ["10.0.0.1"], "10.0.0.1", "198.51.100.7", "198.51.100.7"],
  ["behind a proxy without the header", ["10.0.0.1"], "10.0.0.1", undefined, "10.0.0.1"],
  [
    "behind a proxy with an IPv4-mapped IPv6 address",
    ["10.0.0.1"],
    "::ffff:10.0.0.1",
    "198.51.100.7",
    "198.51.100.7",
  ],
  [
    "behind a proxy, with an IPv4-mapped IPv6 hop",
    ["10.0.0.1"],
    "10.0.0.1",
    "::ffff:198.51.100.7",
    "198.51.100.7",
  ],
  [
    "behind a proxy, with a forged first hop",
    ["10.0.0.1"],
    "10.0.0.1",
    "203.0.113.9, 198.51.100.7",
    "198.51.100.7",
  ],
  [
    "claiming a proxy's address",
    ["10.0.0.1"],
    "10.0.0.1",
    "203.0.113.9, 10.0.0.1, 198.51.100.7",
    "198.51.100.7",
  ],
  ["behind two proxies", ["10.0.0.0/8"], "10.0.0.1", "198.51.100.7, 10.9.9.9", "198.51.100.7"],
  ["behind an untrusted proxy", ["10.0.0.1"], "10.0.0.1", "203.0.113.9, 198.51.100.7", "198.51.100.7"],
  ["behind a proxy on the same machine", ["loopback"], "127.0.0.1", "198.51.100.7", "198.51.100.7"],
  ["behind a proxy on the IPv6 loopback", ["loopback"], "::1", "2001:db8::7", "2001:db8::7"],
  ["behind an IPv6 network of proxies", ["fd00::/8"], "fd00::1", "198.51.100.7", "198.51.100.7"],
  ["in a trusted network", ["uniquelocal"], "10.0.0.1", "192.168.1.7, 10.0.0.2", "192.168.1.7"],
  ["written with a port", ["10.0.0.1"], "10.0.0.1", "198.51.100.7:51234", "198.51.100.7"],
  ["written in brackets", ["10.0.0.1"], "10.0.0.1", "[2001:db8::7]:51234", "2001:db8::7"],
  [
    "behind a hop written with a port",
    ["10.0.0.0/8"],
    "10.0.0.1",
    "198.51.100.7, 10.0.0.2:99",
    "198.51.100.7",
  ],
  ['with the hop "unknown"', ["10.0.0.1"], "10.0.0.1", "203.0.113.9, unknown", null],
  ["behind a proxy, with an invalid hop", ["10.0.0.1"], "10.0.0.1", "203.0.113.9, <script>", null],
  ["with a number as hop", ["10.0.0.0/8"], "10.0.0.1", "203.0.113.9, 10", null],
  ["with a hexadecimal hop", ["10.0.0.0/8"], "10.0.0.1", "203.0.113.9, 0xa.1", null],
  ["with empty hops", ["10.0.0.1"], "10.0.0.1", ", ,", "10.0.0.1"],
])("resolves the client address of a visitor %s", (_, trusted, peer, forwarded, address) => {
  expect(clientAddress(trusted)(from(peer, forwarded))).toBe(address)
})

test.each([
  "10",
  "10/8",
  "10.0.0.0/33",
  "10.0.0.0/0",
  "10.0.0.0/",
  "10.0.0.0/8/8",
  "proxy.test",
  "*",
  "Loopback",
  "",
])("rejects “%s” as a trusted proxy with an error that names it", (entry) => {
  expect(() => clientAddress(["loopback", entry])).toThrow(`Invalid TRUSTED_PROXIES entry "${entry}"`)
})

test("checks only the nearest 20 hops of an X-Forwarded-For header with thousands", () => {
  const far = `198.51.100.7, ${Array.from({ length: 30 }, (_, hop) => `10.0.0.${hop + 2}`).join(", ")}`
  expect(clientAddress(["10.0.0.0/8"])(from("10.0.0.1", far))).toMatch(/^10\.0\.0\./)
})

function from(peer: string | undefined, forwarded: string | undefined): IncomingMessage {
  const socket = new Socket()
  Object.defineProperty(socket, "remoteAddress", { value: peer })
  const incoming = new IncomingMessage(socket)
  if (forwarded !== undefined) incoming.headers["x-forwarded-for"] = forwarded
  return incoming
}
