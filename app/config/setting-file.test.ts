import { tmpdir } from "node:os"
import { expect, test } from "vitest"
import { readSettingFile } from "./setting-file.server"
import { readShopFile } from "./shop-file.server"

test.each([
  ["a folder", tmpdir(), "EISDIR"],
  ["a missing file", "/nowhere/shop.json", "ENOENT"],
])("%s instead of a file is refused with setting, path and reason", (_, path, reason) => {
  expect(() => readSettingFile("CATALOGUE_FILE", path)).toThrow(`Invalid CATALOGUE_FILE ${path}: ${reason}`)
  expect(() => readShopFile(path)).toThrow(`Invalid SHOP_FILE ${path}: ${reason}`)
})
