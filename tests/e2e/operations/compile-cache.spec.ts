import { once } from "node:events"
import { readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "playwright/test"
import { spawnWithLifeline } from "../../../scripts/run/supervise.mjs"
import { copyProject } from "../../fixtures/project-copy"
import { rawRequest } from "../../support/http/raw-request"
import { freePort } from "../../support/server/free-port"

let folder: string
test.beforeEach(() => {
  folder = copyProject()
})
test.afterEach(() => rmSync(folder, { recursive: true }))

/** Starts the shop by `npm start`, asks for the checkout and stops it. Returns the status. */
async function statusOfOneStart(): Promise<number> {
  const port = await freePort()
  const shop = spawnWithLifeline([join(folder, "scripts", "commands", "start.mjs")], {
    env: { PATH: process.env.PATH, PORT: String(port), SANDBOX_PORT: String(await freePort()) },
    cwd: tmpdir(),
    output: "pipe",
  })
  const ended = once(shop, "close")
  let output = ""
  shop.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text
  })
  await expect.poll(() => output, { timeout: 60_000 }).toMatch(/^Data /m)
  const { status } = await rawRequest(`http://127.0.0.1:${port}`, "/checkout/")
  shop.kill("SIGTERM")
  await ended
  return status
}

test("npm start keeps what Node has compiled, and a damaged cache does not stop the next start", async () => {
  const cache = join(folder, "build", "server", ".compile-cache")
  rmSync(cache, { recursive: true, force: true })
  expect(await statusOfOneStart()).toBe(200)
  const kept = readdirSync(cache, { recursive: true, withFileTypes: true }).filter((it) => it.isFile())
  expect(kept.length).toBeGreaterThan(50)
  for (const { parentPath, name } of kept) writeFileSync(join(parentPath, name), "no code")
  expect(await statusOfOneStart()).toBe(200)
})
