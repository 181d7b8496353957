import { expect, test } from "vitest"
import { parsePhpForm } from "./php-form"
import { mapIn } from "./php-unserialize"

test.each([
  ["YToxOntpOjg7czo0OiJCbHVlIjt9", new Map([["8", "Blue"]])],
  [
    "YToyOntpOjM7czoxOiIxIjtpOjY7czoxOiIwIjt9",
    new Map([
      ["3", "1"],
      ["6", "0"],
    ]),
  ],
  ["YToxOntpOjI7aTo5O30=", new Map([["2", 9]])],
  ["YToxOntpOjc7czo1OiLDnG7DryI7fQ==", new Map([["7", "Ünï"]])],
  [
    "YToxOntpOjI7YToyOntzOjg6Im9wdGlvbmlkIjtpOjk7czozOiJxdHkiO2k6Mjt9fQ==",
    new Map([
      [
        "2",
        new Map([
          ["optionid", 9],
          ["qty", 2],
        ]),
      ],
    ]),
  ],
  ["YTowOnt9", new Map()],
])("the map that PHP serializes as %s is parsed", (base64, map) => {
  expect(mapIn(base64)).toEqual(map)
})

test.each([
  ["a length in characters instead of bytes", 'a:1:{i:7;s:3:"Ünï";}'],
  ["a wrong count of entries", 'a:2:{i:7;s:1:"a";}'],
  ["a missing end", 'a:1:{i:7;s:1:"a";'],
  ["no serialized map at all", '{"7":"a"}'],
])("a map with %s is rejected", (_, serialized) => {
  expect(mapIn(Buffer.from(serialized).toString("base64"))).toBeNull()
})

test("a numeric key is the same number, serialized as text or not", () => {
  expect(mapIn(Buffer.from('a:1:{s:1:"8";s:4:"Blue";}').toString("base64"))).toEqual(new Map([["8", "Blue"]]))
})

test("a form is parsed like PHP does", () => {
  const form = parsePhpForm("pid%5B0%5D=1&pid[]=2&configoptions[3]=7&a+b=c+d&twice=1&twice=2")
  expect(form.get("pid")).toEqual(
    new Map([
      ["0", "1"],
      ["1", "2"],
    ]),
  )
  expect(form.get("configoptions")).toEqual(new Map([["3", "7"]]))
  expect(form.get("a_b")).toBe("c d")
  expect(form.get("twice")).toBe("2")
})
