import fc from "fast-check"
import { expect, test } from "vitest"
import { phpSerialize } from "~/http/php-serialize"
import { EncodedMap } from "./encoded-map"

const base64 = (text: string) => Buffer.from(text).toString("base64")

test.each([
  ["JSON with strings", '{"2":"7","4":"9"}', { 2: "7", 4: "9" }],
  [
    "JSON with numbers, booleans and null",
    '{"2":7,"4":true,"5":false,"6":null}',
    { 2: "7", 4: "1", 5: "0", 6: "" },
  ],
  ["an empty JSON object", "{}", {}],
  ["a base64-encoded PHP array with numbers", base64('a:2:{i:2;s:1:"7";i:4;i:9;}'), { 2: "7", 4: "9" }],
  ["a base64-encoded PHP array with non-ASCII text", "YToxOntpOjc7czo1OiLDnG7DryI7fQ==", { 7: "Ünï" }],
  ["an empty base64-encoded PHP array", "YTowOnt9", {}],
])("parses %s", (_, text, map) => {
  expect(Object.fromEntries(EncodedMap.parse(text))).toEqual(map)
})

test.each([
  ["an empty string", ""],
  ["text that is neither JSON nor base64", "%%%"],
  ["a JSON array", "[1,2]"],
  ["truncated JSON", '{"2":'],
  ["a nested JSON object", '{"2":{"qty":1}}'],
  ["a nested PHP array", base64('a:1:{i:2;a:1:{s:3:"qty";i:1;}}')],
  ["a PHP string", base64('s:1:"7";')],
  ["a PHP object", base64('O:8:"stdClass":0:{}')],
  ["a PHP array without base64 encoding", 'a:1:{i:2;s:1:"7";}'],
  ["more than 20 entries", JSON.stringify(Object.fromEntries("x".repeat(21).split("").entries()))],
  ["more than 4000 characters", `{"2":"${"7".repeat(5_000)}"}`],
])("rejects %s", (_, text) => {
  expect(EncodedMap.safeParse(text).success).toBe(false)
})

test("parses the same map from PHP and from JSON", () => {
  const texts = fc.dictionary(fc.stringMatching(/^[1-9]\d{0,5}$/), fc.stringMatching(/^\S{0,9}$/), {
    maxKeys: 9,
  })
  fc.assert(
    fc.property(texts, (map) => {
      const entries = Object.entries(map)
      const php = EncodedMap.parse(base64(phpSerialize(new Map(entries))))
      expect([...php].sort()).toEqual([...EncodedMap.parse(JSON.stringify(map))].sort())
    }),
  )
})
