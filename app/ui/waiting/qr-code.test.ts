import { encode } from "uqr"
import { expect, test } from "vitest"
import { qrOf } from "./qr-code.server"

const link = "https://shop.test/checkout/success/playlist.m3u8?line=service&key=0123456789abcdef"

test("the SVG path covers exactly the dark modules of the QR code", () => {
  const { data, size } = encode(link, { border: 1, maskPattern: 0 })
  const drawn = data.map((row) => row.map(() => false))
  for (const [, x, y, length] of qrOf(link).matchAll(/M(\d+) (\d+)\.5h(\d+)/g)) {
    drawn[Number(y)]?.fill(true, Number(x), Number(x) + Number(length))
  }
  expect(drawn).toEqual(data)
  expect(qrOf(link)).toContain(`viewBox="0 0 ${size} ${size}"`)
})

test("the SVG is shorter than 6,000 characters", () => {
  expect(qrOf(link).length).toBeLessThan(6_000)
})
