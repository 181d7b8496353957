import { spawnSync } from "node:child_process"
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pino from "pino"
import { afterAll, beforeAll, expect, test } from "vitest"
import { logDestination } from "./log-destination.server"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "boxoffice-log-"))
})
afterAll(() => rmSync(folder, { recursive: true }))

const linesOf = (file: string) => readFileSync(file, "utf8").split("\n").filter(Boolean)
const messagesIn = (file: string) => linesOf(file).map((line) => JSON.parse(line).msg)

test("lines are written in their order, without another line after them", async () => {
  const file = join(folder, "order.log")
  const log = pino({ base: null }, logDestination(openSync(file, "a")))
  for (let nth = 0; nth < 1_000; nth++) log.info(`line ${nth}`)
  await expect.poll(() => messagesIn(file)).toEqual(Array.from({ length: 1_000 }, (_, nth) => `line ${nth}`))
})

test("a warning is written at once, with the lines before it", () => {
  const file = join(folder, "warning.log")
  const log = pino({ base: null }, logDestination(openSync(file, "a")))
  log.info("before")
  log.warn("warning")
  // A thread writes. No timer of this one can end meanwhile.
  for (let tries = 0; tries < 100 && linesOf(file).length < 2; tries++) sleep(50)
  expect(messagesIn(file)).toEqual(["before", "warning"])
})

const sleep = (milliseconds: number) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)

const ends = {
  "process.exit": "process.exit(3)",
  "an uncaught error": "throw new Error('thrown')",
  "the end of its work": "",
}

test.each(Object.entries(ends))("lines that wait are written at an exit by %s", (name, end) => {
  const file = join(folder, `${name.replaceAll(/\W/g, "-")}.log`)
  const module = new URL("log-destination.server.ts", import.meta.url)
  const script = `
    import { openSync } from "node:fs"
    import pino from "pino"
    import { logDestination } from ${JSON.stringify(module)}
    const log = pino({ base: null }, logDestination(openSync(${JSON.stringify(file)}, "a")))
    setTimeout(() => { log.info("first"); log.info("second"); ${end} }, 50)`
  spawnSync(process.execPath, ["--input-type=module", "--eval", script], { cwd: process.cwd() })
  expect(messagesIn(file)).toEqual(["first", "second"])
})
