import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { keepPreviousAssets } from "../../scripts/build/keep-previous-assets.mjs"

const DAY = 24 * 60 * 60 * 1000
let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "boxoffice-builds-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

test("replaced assets are kept for seven days after their replacement, whatever their age", () => {
  const first = build("first", ["old-1.js", "old-1.js.br", "same-1.js"])
  const second = build("second", ["new-2.js", "same-1.js"])
  keepPreviousAssets({ from: first, into: second, now: 100 * DAY })
  expect(assetsOf(second)).toEqual(["new-2.js", "old-1.js", "old-1.js.br", "same-1.js"])

  const third = build("third", ["newer-3.js"])
  keepPreviousAssets({ from: second, into: third, now: 107 * DAY })
  expect(assetsOf(third)).toContain("old-1.js")

  const fourth = build("fourth", ["newest-4.js"])
  keepPreviousAssets({ from: third, into: fourth, now: 107 * DAY + 1 })
  expect(assetsOf(fourth)).toEqual(["new-2.js", "newer-3.js", "newest-4.js", "same-1.js"])
})

test("an asset that a later release brings back belongs to that release again", () => {
  const first = build("first", ["a.js"])
  const second = build("second", ["b.js"])
  keepPreviousAssets({ from: first, into: second, now: 0 })
  const third = build("third", ["a.js"])
  keepPreviousAssets({ from: second, into: third, now: 6 * DAY })
  const fourth = build("fourth", ["c.js"])
  keepPreviousAssets({ from: third, into: fourth, now: 12 * DAY })
  expect(assetsOf(fourth)).toEqual(["a.js", "b.js", "c.js"])
})

test("a first build keeps no previous assets", () => {
  const only = build("only", ["a.js"])
  keepPreviousAssets({ from: join(folder, "none"), into: only, now: 0 })
  expect(assetsOf(only)).toEqual(["a.js"])
})

function build(name: string, assets: string[]): string {
  const path = join(folder, name)
  mkdirSync(join(path, "client", "assets"), { recursive: true })
  for (const asset of assets) writeFileSync(join(path, "client", "assets", asset), name)
  return path
}

function assetsOf(path: string): string[] {
  return readdirSync(join(path, "client", "assets")).sort()
}
