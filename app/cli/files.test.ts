import { mkdtempSync, rmSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { CommandError } from "./command"
import { linesOf, onDisk, writePrivately } from "./files.server"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "files-"))
})
afterAll(() => rmSync(folder, { recursive: true }))

async function read(file: string): Promise<string> {
  let text = ""
  for await (const line of linesOf(file)) text += line
  return text
}

const failed = (code: string, properties: object = {}) =>
  Promise.reject(
    Object.assign(new Error(`${code}: as Node says it`), { code, syscall: "open", ...properties }),
  )

describe("what a command says of a file", () => {
  test.each<[string, () => Promise<unknown>, string]>([
    ["that is missing", () => readFile(join(folder, "none")), "The file FOLDER/none does not exist."],
    [
      "that is missing and read by lines",
      () => read(join(folder, "none")),
      "The file FOLDER/none does not exist.",
    ],
    ["that is a folder", () => readFile(folder), "FOLDER is a folder, not a file."],
    ["that is a folder and read by lines", () => read(folder), "FOLDER is a folder, not a file."],
    [
      "that is to be written into a missing folder",
      () => writePrivately(join(folder, "none", "backup"), "content"),
      "The folder FOLDER/none does not exist.",
    ],
    [
      "that may not be read",
      () => failed("EACCES", { path: "/root/backup" }),
      "There is no permission for /root/backup.",
    ],
    [
      "that may not be written",
      () => failed("EPERM", { path: "/root/backup.part" }),
      "There is no permission for /root/backup.",
    ],
    ["that its disk has no room for", () => failed("ENOSPC", { syscall: "write" }), "The disk is full."],
    ["that fails in another way, as Node says it", () => failed("EIO"), "EIO: as Node says it"],
  ])("%s", async (_, work, expected) => {
    const error = await onDisk(Promise.resolve().then(work)).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(CommandError)
    expect(String((error as Error).message).replaceAll(folder, "FOLDER")).toBe(expected)
  })
})
