import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { sourceFiles } from "../../tests/architecture/source-modules"
import { ipAddress, plainAddress } from "./ip-address.server"

test.each([
  ["192.0.2.7", "192.0.2.7"],
  [" 192.0.2.7 ", "192.0.2.7"],
  ["192.0.2.7:8080", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["::FFFF:c000:0207", "192.0.2.7"],
  ["[::ffff:192.0.2.7]:8080", "192.0.2.7"],
  ["2001:db8:0:0:0:0:0:7", "2001:db8::7"],
  ["[2001:DB8::7]", "2001:db8::7"],
  ["[2001:db8::7]:443", "2001:db8::7"],
  ["fe80::7%eth0.1", "fe80::7"],
  ["[fe80::7%25-a]:443", "fe80::7"],
])("normalizes %s to %s", (written, address) => {
  expect(ipAddress(written)?.toString()).toBe(address)
})

test.each([
  "",
  "unknown",
  "_hidden",
  "10",
  "10.1",
  "0x7f.0.0.1",
  "0177.0.0.1",
  "192.0.2.256",
  "192.0.2.7:",
  "192.0.2.7:port",
  "192.0.2.7/24",
  "192.0.2.7, 192.0.2.8",
  "2001:db8::7::1",
  "[2001:db8::7",
  "[192.0.2.7]:80:80",
  "%eth0",
  "shop.test",
])("rejects “%s” as an IP address", (written) => {
  expect(ipAddress(written)).toBeNull()
})

test("a connection without an address has none", () => {
  expect([ipAddress(null), ipAddress(undefined)]).toEqual([null, null])
})

test.each(["[192.0.2.7]", "192.0.2.7:80", "fe80::7%eth0", " 192.0.2.7", "192.2", ""])(
  "rejects “%s” as an address written alone",
  (written) => {
    expect(plainAddress(written)).toBeNull()
  },
)

test("addresses are parsed in one module: no other one uses the library or Node's check", () => {
  const parsers = sourceFiles("app").filter((file) =>
    /from "ipaddr\.js"|\bisIP(v4|v6)?\b/.test(readFileSync(file, "utf8")),
  )
  expect(parsers.filter((file) => !file.endsWith("ip-address.test.ts"))).toEqual([
    "app/http/ip-address.server.ts",
  ])
})
