import { expect, test } from "vitest"
import { deviceAddressIn } from "./device-address"

const STORED = "00:1A:79:AB:CD:EF"

test.each([
  ["colons", "00:1A:79:AB:CD:EF"],
  ["colons, in lower case", "00:1a:79:ab:cd:ef"],
  ["hyphens", "00-1A-79-ab-cd-ef"],
  ["dots between the pairs", "00.1A.79.AB.CD.EF"],
  ["dots between groups of four (Cisco notation)", "001a.79ab.cdef"],
  ["nothing between the pairs", "001A79abcdef"],
  ["spaces between the pairs", "00 1A 79 AB CD EF"],
  ["spaces around it, as pasted", "  00:1A:79:AB:CD:EF\n"],
  ["a pasted no-break space", "\u00a000:1A:79:AB:CD:EF"],
  ["pasted zero-width characters", "\ufeff00:1A:\u200b79:AB:\u2060CD:EF\u200e"],
])("normalizes an address with %s to upper case with colons", (_, typed) => {
  expect(deviceAddressIn(typed)).toBe(STORED)
})

test.each([
  ["a manufacturer's prefix", "D4:CF:F9:00:00:01"],
  ["a locally administered prefix", "02:00:00:00:00:01"],
  ["a zero at the end", "00:1A:79:AB:CD:E0"],
])("accepts an address with %s", (_, typed) => {
  expect(deviceAddressIn(typed)).toBe(typed)
})

test.each([
  ["nothing", ""],
  ["words", "living room"],
  ["too few pairs", "00:1A:79:AB:CD"],
  ["too many pairs", "00:1A:79:AB:CD:EF:01"],
  ["too few digits", "001A79ABCDE"],
  ["too many digits", "001A79ABCDEF0"],
  ["a pair of one digit", "0:1A:79:AB:CD:EF"],
  ["mixed separators", "00:1A-79:AB-CD:EF"],
  ["separators in some places only", "001A:79AB:CD:EF"],
  ["groups of four with colons", "001A:79AB:CDEF"],
  ["a digit before groups of four", "0001a.79ab.cdef"],
  ["a digit after groups of four", "001a.79ab.cdef0"],
  ["two separators in a row", "00::1A:79:AB:CD:EF"],
  ["a separator at the end", "00:1A:79:AB:CD:EF:"],
  ["letters beyond f", "00:1A:79:AB:CD:EG"],
  ["digits of another script", "٠٠:1A:79:AB:CD:EF"],
  ["text around it", "MAC 00:1A:79:AB:CD:EF"],
  ["the all-zero address", "00:00:00:00:00:00"],
  ["the broadcast address", "ff:ff:ff:ff:ff:ff"],
  ["the broadcast address without colons", "FFFFFFFFFFFF"],
  ["a multicast address", "01:00:5E:00:00:01"],
  ["an IPv6 multicast address", "33:33:00:00:00:01"],
])("rejects %s as a device address: %j", (_, typed) => {
  expect(deviceAddressIn(typed)).toBeNull()
})
