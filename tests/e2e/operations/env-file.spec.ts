import { createHash } from "node:crypto"
import { once } from "node:events"
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "playwright/test"
import { spawnWithLifeline } from "../../../scripts/run/supervise.mjs"
import { inProject } from "../../../scripts/setup/project-root.mjs"
import { freePort } from "../../support/server/free-port"

/** What `npm start` reads of a project that is installed and built. */
const PROJECT = [
  "app",
  "build",
  "package-lock.json",
  "package.json",
  "public",
  "react-router.config.ts",
  "scripts",
  "tsconfig.json",
  "vite.config.ts",
]

let folder: string
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "boxoffice-env-file-"))
  for (const name of PROJECT) cpSync(inProject(name), join(folder, name), { recursive: true })
  const packages = join(folder, "node_modules")
  mkdirSync(packages)
  for (const name of readdirSync(inProject("node_modules")))
    symlinkSync(inProject("node_modules", name), join(packages, name))
  // Otherwise the command would install the packages.
  rmSync(join(packages, ".installed-lock"), { force: true })
  const lock = readFileSync(join(folder, "package-lock.json"))
  writeFileSync(join(packages, ".installed-lock"), createHash("sha256").update(lock).digest("hex"))
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
