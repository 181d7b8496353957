import { gunzipSync } from "node:zlib"
import fc from "fast-check"
import { expect, test } from "vitest"
import { LARGE } from "~/http/compression.server"
import { gzipAroundStyle } from "./gzip-around-style.server"

const style = ":root{--brand:#405db1}"

test("the compressed page decompresses to the same page, whatever is before and after its style", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (before, after) => {
      const page = Buffer.from(`${before}<style>${style}</style>${after}`)
      const body = gzipAroundStyle(page, style)
      expect(body && gunzipSync(body).equals(page)).toBe(true)
    }),
  )
})

test("a page that comes after one with another style has its own", () => {
  const [first, second] = ["a{color:red}", "a{color:blue}"].map((style) => {
    const body = gzipAroundStyle(Buffer.from(`<style>${style}</style>`), style)
    return body && gunzipSync(body).toString()
  })
  expect([first, second]).toEqual(["<style>a{color:red}</style>", "<style>a{color:blue}</style>"])
})

test.each([
  ["without the style", "<p>no style</p>", style],
  ["without a style of many pages", `<style>${style}</style>`, null],
  ["that would hold the event loop", `<style>${style}</style>${"x".repeat(LARGE)}`, style],
])("a page %s is left to be compressed whole", (_, html, styleOfPages) => {
  expect(gzipAroundStyle(Buffer.from(html), styleOfPages)).toBeNull()
})
