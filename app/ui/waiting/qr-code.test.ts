import { encode } from "uqr"
import { expect, test } from "vitest"
import { qrOf } from "./qr-code.server"

const link = "https://shop.test/checkout/success/playlist.m3u8?line=service&key=0123456789abcdef"

test("the SVG path covers exactly the dark modules of the QR code", () => {
  const { data, size } = encode(link, { border: 4, maskPattern: 0 })
  const path = /stroke="#000" d="([^"]*)"/.exec(qrOf(link))?.[1]
  expect(darkModules(path, size)).toEqual(data)
  expect(qrOf(link)).toContain(`viewBox="0 0 ${size} ${size}"`)
})

/** A Lightning invoice of a usual length is the longest of all links. */
test.each([link, `lightning:lnbc${"a1".repeat(150)}`])(
  "a phone can read the code from a screen: four light modules around it, and three pixels for each module",
  (text) => {
    const modules = encode(text, { border: 0 }).size + 2 * 4
    expect(qrOf(text)).toContain(`<svg width="${3 * modules}" viewBox="0 0 ${modules} ${modules}"`)
    expect(qrOf(text)).toContain(`M4 4.5h7`)
  },
)

test("the SVG is shorter than 4,000 characters", () => {
  expect(qrOf(link).length).toBeLessThan(4_000)
})

/** Draws the path as a browser does: `M` moves to a place, `m` by a distance, and `h` draws a line from there. */
function darkModules(path = "", size: number): boolean[][] {
  const modules = Array.from({ length: size }, () => Array<boolean>(size).fill(false))
  const pen = { x: 0, y: 0 }
  for (const [, command, numbers = ""] of path.matchAll(/([Mmh])([\d. ]+)/g)) {
    const [x = 0, y = 0] = numbers.split(" ").map(Number)
    if (command === "M") Object.assign(pen, { x, y })
    if (command === "m") Object.assign(pen, { x: pen.x + x, y: pen.y + y })
    if (command !== "h") continue
    modules[pen.y - 0.5]?.fill(true, pen.x, pen.x + x)
    pen.x += x
  }
  return modules
}
