import { expect, test } from "vitest"
import { type PhpValue, phpSerialize } from "./php-serialize"

/** Output of PHP 8.2 for the same values. */
test.each<[PhpValue, string]>([
  [new Map([["8", "Blue"]]), 'a:1:{i:8;s:4:"Blue";}'],
  [
    new Map([
      ["3", "1"],
      ["6", "0"],
    ]),
    'a:2:{i:3;s:1:"1";i:6;s:1:"0";}',
  ],
  [new Map([["2", 9]]), "a:1:{i:2;i:9;}"],
  [new Map([["7", "Ünï"]]), 'a:1:{i:7;s:5:"Ünï";}'],
  [
    new Map([
      [
        "2",
        new Map([
          ["optionid", 9],
          ["qty", 2],
        ]),
      ],
    ]),
    'a:1:{i:2;a:2:{s:8:"optionid";i:9;s:3:"qty";i:2;}}',
  ],
  [new Map(), "a:0:{}"],
  [true, "b:1;"],
  [null, "N;"],
  [12.5, "d:12.5;"],
])("serializes %o like PHP", (value, text) => {
  expect(phpSerialize(value)).toBe(text)
})

test.each([
  ["8", "i:8;"],
  ["-5", "i:-5;"],
  ["0", "i:0;"],
  ["08", 's:2:"08";'],
  ["+1", 's:2:"+1";'],
  [" 1", 's:2:" 1";'],
  ["1.5", 's:3:"1.5";'],
  ["-0", 's:2:"-0";'],
])("serializes the array key %j as %s", (key, text) => {
  expect(phpSerialize(new Map([[key, null]]))).toBe(`a:1:{${text}N;}`)
})
