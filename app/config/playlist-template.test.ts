import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { checkPlaylistTemplate } from "./playlist-template.server"

const folder = mkdtempSync(join(tmpdir(), "boxoffice-playlist-"))
afterAll(() => rmSync(folder, { recursive: true }))

const file = join(folder, "channels.m3u")
const check = (text: string | Buffer) => {
  writeFileSync(file, text)
  checkPlaylistTemplate(file)
}

test.each([
  ["a playlist", "#EXTM3U\n{host}/{username}/{password}/1\n"],
  ["a playlist with a guide", '#EXTM3U url-tvg="https://guide.example.test/"\n'],
  ["a playlist with a byte order mark", "\uFEFF#EXTM3U\r\n"],
])("accepts %s as the template", (_, text) => {
  expect(() => check(text)).not.toThrow()
})

test.each([
  ["an empty file", ""],
  ["a web page", "<!DOCTYPE html><title>#EXTM3U</title>"],
  ["a list of addresses without the header", "http://tv.example.test/1\n"],
  ["a gzip file", Buffer.from([0x1f, 0x8b, 0x08, 0x00])],
])("rejects %s with an error that names variable and file", (_, text) => {
  expect(() => check(text)).toThrow(`Invalid PLAYLIST_TEMPLATE_FILE ${file}: not a playlist`)
})

test.each([
  ["a missing file", join(folder, "none.m3u"), "ENOENT"],
  ["a folder", folder, "EISDIR"],
])("rejects %s with an error that names variable, file and reason", (_, path, reason) => {
  expect(() => checkPlaylistTemplate(path)).toThrow(`Invalid PLAYLIST_TEMPLATE_FILE ${path}: ${reason}`)
})

test("accepts an unset template", () => {
  expect(() => checkPlaylistTemplate(undefined)).not.toThrow()
})
