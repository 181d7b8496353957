import fc from "fast-check"
import { expect, test } from "vitest"
import { type PhpValue, phpSerialize } from "./php-serialize"
import { phpUnserialize } from "./php-unserialize"

test.each<[string, PhpValue]>([
  ['a:1:{i:8;s:4:"Blue";}', new Map([["8", "Blue"]])],
  ['a:1:{s:1:"8";s:4:"Blue";}', new Map([["8", "Blue"]])],
  ["a:1:{i:2;i:9;}", new Map([["2", 9]])],
  ['a:1:{i:7;s:5:"Ünï";}', new Map([["7", "Ünï"]])],
  ['a:1:{i:2;a:1:{s:3:"qty";i:2;}}', new Map([["2", new Map([["qty", 2]])]])],
  ["a:0:{}", new Map()],
  ['s:3:"a";";', 'a";'],
  ["b:1;", true],
  ["d:12.5;", 12.5],
  ["N;", null],
])("unserializes %s", (text, value) => {
  expect(phpUnserialize(text)).toEqual(value)
})

test.each([
  ["an object", 'O:8:"stdClass":0:{}'],
  ["a reference", "a:1:{i:0;R:1;}"],
  ["a string shorter than its declared length", 's:4:"Ün";'],
  ["a string length in characters instead of bytes", 's:3:"Ünï";'],
  ["fewer entries than declared", 'a:2:{i:1;s:1:"a";}'],
  ["more entries than declared", 'a:1:{i:1;s:1:"a";i:2;s:1:"b";}'],
  ["a map as a key", "a:1:{a:0:{}i:1;}"],
  ["trailing data", "i:1;i:2;"],
  ["nothing", ""],
  ["nesting beyond the maximum depth", "a:1:{i:0;".repeat(6)],
  ["a text beyond the maximum length", `s:99999:"${"x".repeat(99_999)}";`],
])("rejects %s", (_, text) => {
  expect(() => phpUnserialize(text)).toThrow()
})

const scalar = fc.oneof(fc.string({ unit: "grapheme" }), fc.integer(), fc.boolean(), fc.constant(null))
const map = fc.array(fc.tuple(fc.string(), scalar), { maxLength: 8 }).map((entries) => new Map(entries))

test("unserializing a serialized value returns the value", () => {
  fc.assert(
    fc.property(map, (value) => {
      expect(phpUnserialize(phpSerialize(value))).toEqual(value)
    }),
  )
})

test("any other input is parsed or rejected without another error", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      try {
        phpUnserialize(text)
      } catch (error) {
        expect(String(error)).not.toContain("RangeError")
      }
    }),
  )
})
