import fc from "fast-check"
import { expect, test } from "vitest"
import { phpSerialize } from "~/http/php-serialize"
import { EncodedMap } from "./encoded-map"

const base64 = (text: string) => Buffer.from(text).toString("base64")

test.each([
  ["JSON with texts", '{"2":"7","4":"9"}', { 2: "7", 4: "9" }],
  ["JSON with numbers and yes", '{"2":7,"4":true,"5":false,"6":null}', { 2: "7", 4: "1", 5: "0", 6: "" }],
  ["an empty JSON object", "{}", {}],
  ["PHP's map of numbers, in base64", base64('a:2:{i:2;s:1:"7";i:4;i:9;}'), { 2: "7", 4: "9" }],
  ["PHP's map of an accented word, in base64", "YToxOntpOjc7czo1OiLDnG7DryI7fQ==", { 7: "Ünï" }],
  ["PHP's empty map, in base64", "YTowOnt9", {}],
])("%s is a map", (_, text, map) => {
  expect(Object.fromEntries(EncodedMap.parse(text))).toEqual(map)
})

test.each([
  ["nothing", ""],
  ["what nobody writes", "%%%"],
  ["a list", "[1,2]"],
  ["half a JSON object", '{"2":'],
  ["a map in a map", '{"2":{"qty":1}}'],
  ["PHP's map in a map", base64('a:1:{i:2;a:1:{s:3:"qty";i:1;}}')],
  ["PHP's text", base64('s:1:"7";')],
  ["PHP's object", base64('O:8:"stdClass":0:{}')],
  ["PHP's map that is not in base64", 'a:1:{i:2;s:1:"7";}'],
  ["more than anybody orders", JSON.stringify(Object.fromEntries("x".repeat(21).split("").entries()))],
  ["a text without end", `{"2":"${"7".repeat(5_000)}"}`],
])("%s is no map", (_, text) => {
  expect(EncodedMap.safeParse(text).success).toBe(false)
})

test("whatever PHP or JSON says of texts is read alike", () => {
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
