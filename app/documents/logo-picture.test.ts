import { decode, encode, type ImageData } from "fast-png"
import { expect, test } from "vitest"
import { type LogoFile, logoOf } from "~/config/logo-file.server"
import { logoPicture } from "./logo-picture.server"

const one = { width: 1, height: 1 }

test.each<[string, ImageData, readonly number[]]>([
  ["colours", { ...one, channels: 3, data: Uint8Array.of(10, 20, 30) }, [10, 20, 30]],
  ["grey", { ...one, channels: 1, data: Uint8Array.of(100) }, [100, 100, 100]],
  ["half transparent colours", { ...one, channels: 4, data: Uint8Array.of(0, 51, 255, 51) }, [204, 214, 255]],
  ["transparent grey", { ...one, channels: 2, data: Uint8Array.of(0, 0) }, [255, 255, 255]],
  [
    "colours of two bytes",
    { ...one, channels: 3, depth: 16, data: Uint16Array.of(0, 65_535, 257) },
    [0, 255, 1],
  ],
])("a logo of %s is put on white", (_, image, colour) => {
  const picture = logoPicture(fileOf(encode(image)))
  expect(picture).toMatchObject(one)
  const { channels, depth, data } = decode(picture?.bytes ?? Buffer.of())
  expect({ channels, depth, data: [...data] }).toEqual({ channels: 3, depth: 8, data: colour })
})

test("a logo with a palette, of which a colour is transparent, is put on white", () => {
  // 2 by 1 pixels of one bit each: blue, and nothing.
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABAQMAAADO7O3JAAAABlBMVEUAAP////973JksAAAAAnRSTlP/AOW3MEoAAAAKSURBVHicY3AAAABCAEEpN/TvAAAAAElFTkSuQmCC",
    "base64",
  )
  const picture = logoPicture(fileOf(png))
  expect([...decode(picture?.bytes ?? Buffer.of()).data]).toEqual([0, 0, 255, 255, 255, 255])
})

const whole = Buffer.from(encode({ width: 8, height: 8, data: new Uint8Array(256).fill(7) }))

test.each([
  ["an SVG", Buffer.from('<svg viewBox="0 0 4 1"/>')],
  ["a PNG that claims more pixels than it has", claiming(60_000, 60_000)],
  [
    "a PNG of more pixels than are decoded in time",
    Buffer.from(encode({ width: 501, height: 500, ...blank(501 * 500) })),
  ],
  ["a PNG of other pixels than it says", claiming(8, 9)],
  ["a PNG that breaks off", whole.subarray(0, whole.length - 20)],
  ["a PNG with a broken stream", withByte(whole, 45)],
])("%s has no picture for a PDF", (_, bytes) => {
  expect(logoPicture(fileOf(bytes))).toBeNull()
})

test("a logo is decoded once", () => {
  const file = fileOf(whole)
  expect(logoPicture(file)).toBe(logoPicture(file))
})

function fileOf(bytes: Uint8Array): LogoFile {
  const file = logoOf(Buffer.from(bytes), { withName: false, plate: true })
  if (!file) throw new Error("not a logo")
  return file
}

function blank(pixels: number) {
  return { data: new Uint8Array(pixels * 4) }
}

function claiming(width: number, height: number): Buffer {
  const bytes = Buffer.from(whole)
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

function withByte(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[at] = 255 - (changed[at] ?? 0)
  return changed
}
