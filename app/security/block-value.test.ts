import { expect, test } from "vitest"
import { blockedIn } from "./block-value.server"

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
  ["00-1a-79-12-34-56", "device", "00:1A:79:12:34:56"],
  ["001a79123456", "device", "00:1A:79:12:34:56"],
])("blockedIn reads %s as the %s %s", (word, kind, value) => {
  expect(blockedIn(word)).toEqual({ kind, value })
})

test.each([
  ["an address with an octet above 255", "192.0.2.256"],
  ["an address in short form", "192.2"],
  ["an address with leading zeros", "192.000.002.007"],
  ["an address with a zone id", "fe80::7%eth0"],
  ["a network with a prefix above 32", "192.0.2.0/33"],
  ["a network without a prefix length", "192.0.2.0/"],
  ["a network with a mask", "192.0.2.0/255.255.255.0"],
  ["a network with two prefix lengths", "192.0.2.0/24/8"],
  ["an IPv6 network that contains the whole IPv4-mapped range", "::ffff:192.0.2.0/90"],
  ["an unassigned country code", "QQ"],
  ["the code of an unknown country", "XX"],
  ["a country's name", "Germany"],
  ["the broadcast address of all devices", "ff:ff:ff:ff:ff:ff"],
  ["a host", "shop.example.test"],
  ["nothing", ""],
])("blockedIn rejects %s: %j", (_, value) => {
  expect(blockedIn(value)).toBeNull()
})
