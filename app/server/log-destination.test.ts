import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, openSync, readFileSync, rmSync, statSync, truncateSync } from "node:fs"
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
  run({ file, script: `setTimeout(() => { log.info("first"); log.info("second"); ${end} }, 50)` })
  expect(messagesIn(file)).toEqual(["first", "second"])
})

test.each(Object.entries(ends))("a full disk does not keep the process from %s", (_, end) => {
  const script = `log.warn("first"); setTimeout(() => { log.info("second"); ${end} }, 200)`
  const { signal, stdout } = run({
    file: "/dev/full",
    script: `${script}; setTimeout(() => console.log("goes on"), 100)`,
  })
  expect({ signal, stdout }).toEqual({ signal: null, stdout: "goes on\n" })
})

test("a fatal line does not wait for a full disk", () => {
  const { status } = run({ file: "/dev/full", script: 'log.fatal("first"); process.exit(3)' })
  expect(status).toBe(3)
})

test("lines go on once there is space again, after those that waited", async () => {
  const file = join(folder, "limited.log")
  // The kernel refuses to write beyond the limit, as on a full disk.
  const child = start({ file, script: fillingScript, before: "ulimit -f 1" })
  await expect.poll(() => statSync(file, { throwIfNoEntry: false })?.size).toBe(LIMIT)
  truncateSync(file)
  child.stdin.write("there is space")
  await expect.poll(() => readFileSync(file, "utf8")).toContain('"msg":"last"')
  child.stdin.end()
  await once(child, "exit")
  const [endOfCutLine, ...others] = linesOf(file)
  expect(endOfCutLine).toMatch(/x"}$/)
  expect(others.map((line) => JSON.parse(line).msg)).toEqual(["last"])
})

/** Bytes of a file of one block, the unit of `ulimit -f`. */
const LIMIT = 512

/** Fills the file, and writes once more when it is told to. */
const fillingScript = `
  for (let nth = 0; nth < 4; nth++) log.info("x".repeat(100))
  process.stdin.once("data", () => log.warn("last"))`

type Program = { readonly file: string; readonly script: string; readonly before?: string }

/** Runs a script that has a `log` into a file. */
function run(program: Program) {
  const [command, args] = commandOf(program)
  return spawnSync(command, args, { encoding: "utf8", timeout: 120_000 })
}

function start(program: Program) {
  const [command, args] = commandOf(program)
  return spawn(command, args, { stdio: ["pipe", "ignore", "inherit"] })
}

function commandOf({ file, script, before = ":" }: Program): [string, string[]] {
  const module = new URL("log-destination.server.ts", import.meta.url)
  const whole = `
    import { openSync } from "node:fs"
    import pino from "pino"
    import { logDestination } from ${JSON.stringify(module)}
    const log = pino({ base: null }, logDestination(openSync(${JSON.stringify(file)}, "a")))
    ${script}`
  return ["sh", ["-c", `${before}; exec "$0" --input-type=module --eval "$1"`, process.execPath, whole]]
}
