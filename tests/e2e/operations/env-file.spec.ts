import { once } from "node:events"
import { rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "playwright/test"
import { spawnWithLifeline } from "../../../scripts/run/supervise.mjs"
import { copyProject } from "../../fixtures/project-copy"
import { freePort } from "../../support/server/free-port"

let folder: string
test.beforeEach(() => {
  folder = copyProject()
})
test.afterEach(() => rmSync(folder, { recursive: true }))

function run(args: string[], env: Record<string, string> = {}) {
  return spawnWithLifeline([join(folder, "scripts", "commands", args[0] ?? ""), ...args.slice(1)], {
    env: { PATH: process.env.PATH, ...env },
    cwd: tmpdir(),
    output: "pipe",
  })
}

test("npm run admin does not mention .env where there is none", async () => {
  const admin = run(["admin.mjs", "--help"])
  let complaints = ""
  admin.stderr?.setEncoding("utf8").on("data", (text) => {
    complaints += text
  })
  const [code] = await once(admin, "close")
  expect([code, complaints]).toEqual([0, ""])
})

test("npm start and npm run admin read .env of the project, and the environment has precedence", async () => {
  const settings = {
    PORT: "0",
    SANDBOX_PORT: String(await freePort()),
    SHOP_NAME: "Named in the file",
    DATA_DIR: join(folder, "kept"),
    CURRENCY: "USD",
  }
  writeFileSync(
    join(folder, ".env"),
    Object.entries(settings)
      .map(([name, value]) => `${name}="${value}"\n`)
      .join(""),
  )
  const shop = run(["start.mjs"], { CURRENCY: "GBP" })
  let output = ""
  shop.stdout?.setEncoding("utf8").on("data", (text) => {
    output += text
  })
  shop.stderr?.setEncoding("utf8").on("data", (text) => {
    output += text
  })
  await expect.poll(() => output, { timeout: 60_000 }).toContain("Data ")
  expect(output).toContain(join(folder, "kept"))
  const [url = ""] = /http:\S+\/checkout\//.exec(output) ?? []
  const page = await (await fetch(url)).text()
  expect(page).toContain("Named in the file")
  expect(page).toContain("£")

  const admin = run(["admin.mjs", "orders", "list"])
  const [code] = await once(admin, "close")
  expect(code).toBe(0)
  shop.kill("SIGTERM")
  await once(shop, "close")
})
