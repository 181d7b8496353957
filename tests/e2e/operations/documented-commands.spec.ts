import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "playwright/test"
import { signalGroup } from "../../../scripts/run/supervise.mjs"
import { currentDocuments, shellBlocksIn } from "../../documents/shell-blocks"
import { chooseAndPay, goToGateway, orderOn, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { copyProject } from "../../fixtures/project-copy"
import { Browser } from "../../support/browser/no-script-browser"
import { freePort } from "../../support/server/free-port"
import { deep, deepUnless } from "../tags"

const EMAIL = "ana@example.test"

/** Lines that run until they are stopped, and print an address when they are ready. */
const SERVER = /\bnpm (start|run whmcs-simulator)\b/

/** Documents with blocks that are marked "run". */
const marked = currentDocuments.filter((file) => shellBlocksIn(file).some(({ mark }) => mark === "run"))

let folder: string
let shell: Shell
test.beforeEach(async () => {
  folder = copyProject()
  shell = await openShell(folder)
})
test.afterEach(async () => {
  await shell.close()
  rmSync(folder, { recursive: true })
})

for (const file of marked) {
  // Commands are started one after the other, each with npm; `tests/documents` checks the grammar of all.
  test(
    `the marked commands of ${file} run, from the first to the last`,
    deepUnless(file === "README.md"),
    async () => {
      test.slow()
      const lines = shellBlocksIn(file).flatMap((block) => (block.mark === "run" ? block.lines : []))
      const values: Record<string, string> = { EMAIL, FILE: join(folder, "file.jsonl") }
      // A page without a server of its own describes commands for a shop that runs and has sold something.
      if (!lines.some((line) => SERVER.test(line))) {
        const url = await shell.serve("npm start")
        values.N = await buy(url)
      }
      for (const line of lines.map((it) => withValues(it, values))) {
        if (SERVER.test(line)) expect((await fetch(await shell.serve(line))).status).toBeLessThan(500)
        else await shell.run(line)
      }
    },
  )
}

test("a purchase in the shop that docs/whmcs.md starts reaches its simulator", deep, async () => {
  test.slow()
  const lines = shellBlocksIn("docs/whmcs.md").flatMap(({ mark, lines }) => (mark === "run" ? lines : []))
  let shop = ""
  for (const line of lines) {
    if (SERVER.test(line)) shop = await shell.serve(line)
    // The simulator is set up as the page says.
    else expect(await shell.run(line)).not.toContain("not found")
  }
  await buy(shop)
  const state = JSON.parse(await shell.run(lines.at(-1) ?? ""))
  expect(state.clients).toEqual([expect.objectContaining({ email: EMAIL })])
  expect(state.orders).toEqual([expect.objectContaining({ status: "Active" })])
  expect(state.invoices).toEqual([expect.objectContaining({ status: "Paid" })])
  expect(state.lines).toHaveLength(1)
})

/** Buys a plan and returns the order's number. */
async function buy(url: string): Promise<string> {
  const shop = { url: new URL(url).origin }
  const review = await chooseAndPay(new Browser(), { shop, email: EMAIL })
  const bought = await waitForAccess(await payAt(await goToGateway(review)))
  return orderOn(bought) ?? ""
}

/** A line with values for its placeholders, which are words in capitals. */
function withValues(line: string, values: Readonly<Record<string, string>>): string {
  return line.replace(/(?<=\s)[A-Z]+(?=\s|$)/g, (word) => values[word] ?? word)
}

type Shell = Awaited<ReturnType<typeof openShell>>

/**
 * A reader's terminal in a copy of the project: variables that a line sets stay set. The ports that the documents name are
 * replaced by free ones.
 */
async function openShell(cwd: string) {
  const variables = join(cwd, ".variables")
  writeFileSync(variables, "")
  const servers: ChildProcess[] = []
  const ports = new Map<string, number>()
  const portFor = async (named: string) => {
    const port = ports.get(named) ?? (await freePort())
    ports.set(named, port)
    return port
  }
  const withPorts = async (line: string) => {
    const named = [...line.matchAll(/(?<=127\.0\.0\.1:|PORT=)\d{4}\b/g)].map(([port]) => port)
    for (const port of named) await portFor(port)
    return line.replace(/(?<=127\.0\.0\.1:|PORT=)\d{4}\b/g, (port) => String(ports.get(port)))
  }
  const sandbox = String(await portFor("3001"))
  const env = { PATH: process.env.PATH, HOME: cwd, NO_COLOR: "1", SANDBOX_PORT: sandbox }

  const start = async (line: string) => {
    const port = await portFor(line.includes("whmcs-simulator") ? "3002" : "3000")
    const script = `set -ae; . ${variables}; PORT=${port}; ${await withPorts(line)}\nexport -p > ${variables}`
    const child = spawn("bash", ["-c", script], { cwd, env, detached: true })
    let output = ""
    let errors = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors += text
    })
    return { child, output: () => output, errors: () => errors }
  }

  return {
    /** Runs a command to its end and returns its standard output. Throws unless it exits with 0. */
    async run(line: string): Promise<string> {
      const { child, output, errors } = await start(line)
      const [code] = await once(child, "close")
      if (code !== 0) throw new Error(`${line} exits with ${code}:\n${output()}${errors()}`)
      return output()
    },
    /** Starts a server and returns the first address that it prints. */
    async serve(line: string): Promise<string> {
      const { child, output, errors } = await start(line)
      servers.push(child)
      await expect
        .poll(() => output() + (child.exitCode === null ? "" : "http://ended"), { timeout: 60_000 })
        .toMatch(/http:\/\/\S+/)
      const [url] = /http:\/\/[^\s,]+/.exec(output()) ?? []
      if (!url) throw new Error(`${line} ends with ${child.exitCode}:\n${output()}${errors()}`)
      return url
    },
    async close() {
      const ended = servers.map((child) => (child.exitCode === null ? once(child, "close") : null))
      for (const child of servers) signalGroup(child, "SIGTERM")
      await Promise.all(ended)
    },
  }
}
