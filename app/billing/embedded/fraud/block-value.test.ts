import { expect, test } from "vitest"
import { blockedIn } from "./block-value"

test.each([
  ["192.0.2.7", "address", "192.0.2.7"],
  ["2001:DB8:0:0::7", "address", "2001:db8::7"],
  ["::ffff:192.0.2.7", "address", "192.0.2.7"],
  ["192.0.2.0/24", "network", "192.0.2.0/24"],
  ["192.0.2.77/24", "network", "192.0.2.0/24"],
  ["2001:DB8::7/32", "network", "2001:db8::/32"],
  ["::ffff:192.0.2.77/120", "network", "192.0.2.0/24"],
  ["DE", "country", "DE"],
  ["de", "country", "DE"],
  ["UK", "country", "GB"],
])("the operator who writes %s means the %s %s", (word, kind, value) => {
  expect(blockedIn(word)).toEqual({ kind, value })
})

test.each([
  ["an address that is too high", "192.0.2.256"],
  ["an address in the old short form", "192.2"],
  ["an address with leading zeros", "192.000.002.007"],
  ["an address that names a network card", "fe80::7%eth0"],
  ["a network that is too narrow", "192.0.2.0/33"],
  ["a network without its width", "192.0.2.0/"],
  ["a network with a mask", "192.0.2.0/255.255.255.0"],
  ["a network of two widths", "192.0.2.0/24/8"],
  ["an IPv6 network that holds all of IPv4 and more", "::ffff:192.0.2.0/90"],
  ["a country that does not exist", "QQ"],
  ["the country of whom nobody can place", "XX"],
  ["a country's name", "Germany"],
  ["a host", "shop.example.test"],
  ["nothing", ""],
])("%s cannot be blocked", (_, value) => {
  expect(blockedIn(value)).toBeNull()
})
