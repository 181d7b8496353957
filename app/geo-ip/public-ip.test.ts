import { expect, test } from "vitest"
import { publicAddress } from "./public-ip.server"

test.each([
  ["0/8", "0.0.0.0", "0.255.255.255"],
  ["10/8", "10.0.0.0", "10.255.255.255"],
  ["100.64/10", "100.64.0.0", "100.127.255.255"],
  ["127/8", "127.0.0.0", "127.255.255.255"],
  ["169.254/16", "169.254.0.0", "169.254.255.255"],
  ["172.16/12", "172.16.0.0", "172.31.255.255"],
  ["192.0.0/24", "192.0.0.0", "192.0.0.255"],
  ["192.0.2/24", "192.0.2.0", "192.0.2.255"],
  ["192.168/16", "192.168.0.0", "192.168.255.255"],
  ["198.18/15", "198.18.0.0", "198.19.255.255"],
  ["198.51.100/24", "198.51.100.0", "198.51.100.255"],
  ["203.0.113/24", "203.0.113.0", "203.0.113.255"],
  ["224/4", "224.0.0.0", "239.255.255.255"],
  ["240/4", "240.0.0.0", "255.255.255.255"],
  ["::", "::", "0:0:0:0:0:0:0:0"],
  ["::1", "::1", "0:0:0:0:0:0:0:1"],
  ["fc00::/7", "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["fe80::/10", "fe80::1%eth0", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["ff00::/8", "ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2001:db8::/32", "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["10/8 in IPv6's clothes", "::ffff:10.0.0.0", "::ffff:10.255.255.255"],
])("an address in %s is not public", (_, first, last) => {
  expect([publicAddress(first), publicAddress(last)]).toEqual([null, null])
})

test.each(["9.255.255.255", "100.128.0.0", "172.32.0.0", "192.0.3.0", "198.20.0.0", "223.255.255.255"])(
  "%s is next to a reserved range and public",
  (address) => {
    expect(publicAddress(address)?.toString()).toBe(address)
  },
)

test.each(["8.8.8.8:443", "::ffff:8.8.8.8", "[::ffff:8.8.8.8]:443"])("%s counts as 8.8.8.8", (written) => {
  expect(publicAddress(written)?.toString()).toBe("8.8.8.8")
})

test.each([null, "", "unknown", "8.8", "8.8.8.8.8", "2606:4700"])("%s is not an address", (written) => {
  expect(publicAddress(written)).toBeNull()
})
