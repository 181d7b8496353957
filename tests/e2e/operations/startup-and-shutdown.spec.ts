import { spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { expect } from "playwright/test"
import { spawnWithLifeline } from "../../../scripts/run/supervise.mjs"
import { serverProgram } from "../../../scripts/setup/prepare.mjs"
import { startShopWithUnreliableGateway } from "../../fakes/faulty-gateway"
import { accessOn, chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { runAdmin } from "../../fixtures/signed-in-operator"
import { readStoredRows } from "../../fixtures/stored-data"
import { Browser } from "../../support/browser/no-script-browser"
import { rawRequest } from "../../support/http/raw-request"
import { freePort } from "../../support/server/free-port"
import { runServerCommand } from "../../support/server/run-server-command"
import { startShop } from "../../support/server/server-process"
import { test } from "../shop-test"
import { deep, deepUnless } from "../tags"

const EMAIL = "ana@example.test"

let folder: string
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "boxoffice-"))
})
test.afterEach(() => rmSync(folder, { recursive: true }))

test("a restart keeps orders and sessions", async () => {
  const shop = await startShop({ dataDir: folder })
  const browser = new Browser()
  const bought = await waitForAccess(
    await payAt(await goToGateway(await chooseAndPay(browser, { shop, email: EMAIL }))),
  )
  await shop.restart()
  expect(shop.output()).toContain(`Checkout   ${shop.url}/checkout/\n`)
  expect(shop.output()).toContain(`Sandbox    ${shop.sandboxUrl}/   test mode`)
  expect(shop.output()).toContain(`Data       ${folder}\n`)
  const checkout = await bought.follow("Boxoffice")
  expect(checkout.field("email")).toBe("ana@example.test")
  const [order] = readStoredRows(folder).orders
  expect(order).toMatchObject({ status: "active", received: 7900 })
  expect(accessOn(await browser.visit(bought.url))).toEqual(accessOn(bought))
  expect(await shop.stop()).toBe(0)
})

test("a start says how the console gets its first operator, and from then on where it is", async () => {
  const shop = await startShop({ dataDir: folder })
  expect(shop.output()).toContain("Console    npm run admin -- operators add EMAIL --role owner")
  await runAdmin(shop, "operators", "add", EMAIL, "--role", "owner", "--json")
  await shop.restart()
  expect(shop.output()).toContain(`Console    ${shop.url}/checkout/admin\n`)
  expect(await shop.stop()).toBe(0)
})

test("a public shop without OPERATOR_SECRETS says at its start that it has no console, and why", async () => {
  const env = {
    PUBLIC_URL: "https://shop.example",
    SESSION_SECRETS: "x".repeat(32),
    OFFSHORE_URL: "https://pay.example",
    OFFSHORE_CALLBACK_SECRET: "whsec_dGhlLXNlY3JldC1iZWZvcmUtcm90YXRpb24tMzItYnl0ZXMh",
  }
  const shop = await startShop({ dataDir: folder, env })
  expect(shop.output()).toContain("Console    off: set OPERATOR_SECRETS")
  expect(await shop.stop()).toBe(0)
})

test("the log says that the shop has started, what stopped it, and that it has stopped", async () => {
  const shop = await startShop({ dataDir: folder })
  const url = JSON.stringify(shop.url)
  await expect.poll(shop.output).toContain(`"url":${url},"msg":"shop started"`)
  expect(shop.output()).not.toContain("shop stopping")
  expect(await shop.stop()).toBe(0)
  expect(shop.output()).toMatch(/"reason":"SIGTERM","msg":"shop stopping".*"msg":"shop stopped"/s)
})

test("pages and messages are shown whatever NODE_ENV is", async () => {
  const env = { DATA_DIR: folder, NODE_ENV: "" }
  const shop = await startShop({ dataDir: folder, env })
  expect((await new Browser().visit(`${shop.url}/checkout/`)).status).toBe(200)
  expect((await runServerCommand(["admin", "mail", "preview", "receipt"], env)).exitCode).toBe(0)
  expect(await shop.stop()).toBe(0)
})

test("a stopping shop completes the request in progress and exits with 0", async () => {
  const { shop, gateway, stop } = await startShopWithUnreliableGateway({ UPSTREAM_TIMEOUT_MS: "1500" })
  const review = await chooseAndPay(new Browser(), { shop, email: EMAIL })
  gateway.set("hang")
  const pendingPage = goToGateway(review)
  await expect.poll(() => readStoredRows(shop.dataDir).attempts).toHaveLength(1)
  const stopped = shop.restart()
  expect((await pendingPage).status).toBe(503)
  await stopped
  expect(await shop.stop()).toBe(0)
  await stop()
})

type Unusable = { what: string; env: Record<string, string>; messages: RegExp[]; isShort?: boolean }
const unusable: Unusable[] = [
  { what: "an invalid port", env: { PORT: "http" }, messages: [/did not start/, /PORT/], isShort: true },
  { what: "an unknown currency", env: { CURRENCY: "GOLD" }, messages: [/did not start/, /CURRENCY/] },
  {
    what: "a public URL without a gateway",
    env: { PUBLIC_URL: "https://shop.example" },
    messages: [/Missing settings for https:\/\/shop\.example/, /OFFSHORE_URL/, /SESSION_SECRETS/],
    isShort: true,
  },
  {
    what: "a gateway without a callback secret",
    env: { OFFSHORE_URL: "https://pay.example" },
    messages: [/OFFSHORE_CALLBACK_SECRET/],
  },
  {
    what: "an unavailable database",
    env: { DATABASE_URL: "postgres://127.0.0.1:9/books", UPSTREAM_TIMEOUT_MS: "500" },
    messages: [/did not start/, /Database unavailable/],
    isShort: true,
  },
]
for (const [variable, value, reason] of [
  ["PLAYLIST_TEMPLATE_FILE", "/nowhere", "ENOENT"],
  ["SHOP_FILE", tmpdir(), "EISDIR"],
  ["CATALOGUE_FILE", tmpdir(), "EISDIR"],
  ["COUNTRY_TABLE", "/nowhere", "not found"],
  ["DATA_DIR", "/dev/null/data", "ENOTDIR"],
  ["DATA_DIR", "/proc/boxoffice", "ENOENT"],
] as const) {
  unusable.push({
    what: `${variable} ${value === tmpdir() ? "a folder" : value}`,
    env: { [variable]: value },
    messages: [/did not start/, new RegExp(`Invalid ${variable} ${value}: .*${reason}`)],
    isShort: variable === "SHOP_FILE",
  })
}
for (const { what, env, messages: pattern, isShort = false } of unusable) {
  test(`with ${what} the shop does not start and prints the reason`, deepUnless(isShort), async () => {
    const free = { DATA_DIR: folder, PORT: "0", SANDBOX_PORT: "0" }
    const { exitCode, errorOutput } = await runServerCommand([], { ...free, ...env })
    expect(exitCode).toBe(1)
    for (const message of pattern) expect(errorOutput).toMatch(message)
    expect(errorOutput).not.toMatch(/^\s+at /m)
  })
}

test("a shop whose terminal is closed ends as with SIGTERM", async () => {
  const shop = await startShop({ dataDir: folder })
  process.kill(shop.pid() ?? 0, "SIGHUP")
  await expect.poll(() => shop.exitCode()).toBe(0)
})

test("PORT=0 announces the port that the shop got, and its links have it", async () => {
  const child = spawnWithLifeline([serverProgram], {
    env: { PATH: process.env.PATH, NODE_ENV: "production", PORT: "0", SANDBOX_PORT: "0", DATA_DIR: folder },
    output: "pipe",
  })
  const ended = once(child, "close")
  let output = ""
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text
  })
  await expect.poll(() => output, { timeout: 20_000 }).toMatch(/^Data /m)
  const [, url = ""] = /^Checkout {3}(http:\/\/127\.0\.0\.1:[1-9]\d*)\/checkout\/$/m.exec(output) ?? []
  const page = await new Browser().visit(`${url}/checkout/`)
  expect(page.status).toBe(200)
  expect((await rawRequest(url, "/checkout/")).body).toContain(`${url}/checkout/`)
  child.kill("SIGTERM")
  await ended
})

for (const [argument, exitCode] of [
  ["--help", 0],
  ["--port=4000", 2],
] as const) {
  test(`the server prints its usage for ${argument} instead of starting`, async () => {
    const ended = await runServerCommand([argument], { DATA_DIR: folder, PORT: "0" })
    expect(ended.exitCode).toBe(exitCode)
    expect(ended.output + ended.errorOutput).toContain("index.js admin COMMAND")
    if (exitCode > 0) expect(ended.errorOutput).toContain(`Unknown argument "${argument}"`)
    expect(readdirSync(folder)).toEqual([])
  })
}

test("a second server on the same data waits for the first, and starts once that was killed", async () => {
  const shop = await startShop({ dataDir: folder })
  const next = spawnWithLifeline([serverProgram], {
    env: { PATH: process.env.PATH, NODE_ENV: "production", PORT: "0", SANDBOX_PORT: "0", DATA_DIR: folder },
    output: "pipe",
  })
  const ended = once(next, "close")
  let output = ""
  next.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text
  })
  await expect.poll(() => output, { timeout: 20_000 }).toContain("waiting for another server to end")
  expect(await runAdmin(shop, "orders", "list")).toBe("No orders.\n")
  expect(output).not.toContain("shop started")
  await shop.kill9()
  await expect.poll(() => output, { timeout: 20_000 }).toContain("shop started")
  next.kill("SIGTERM")
  await ended
})

test("a result that nobody reads, or that finds no space, ends a command with one line", async () => {
  const ended = (redirection: string) => {
    const command = `( "$0" "$1" admin --help; echo "exit code $?" >&2 ) ${redirection}`
    const env = { PATH: process.env.PATH, NODE_ENV: "production", DATA_DIR: folder }
    return spawnSync("sh", ["-c", command, process.execPath, serverProgram], { encoding: "utf8", env }).stderr
  }
  expect(ended("| true")).toBe("Cannot write everything: standard output was closed.\nexit code 1\n")
  expect(ended("> /dev/full")).toMatch(/^Cannot write everything: Error: ENOSPC.*\nexit code 1\n$/)
})

test("the command line without a database creates none and names variable and file", async () => {
  const { exitCode, errorOutput } = await runServerCommand(["admin", "orders", "list"], { DATA_DIR: folder })
  expect(exitCode).toBe(1)
  expect(errorOutput).toContain(`Invalid DATA_DIR ${folder}: no database in boxoffice.db`)
  expect(readdirSync(folder)).toEqual([])
})

test(
  "a shop whose database is gone does not start as an empty one, and starts after a restore",
  deep,
  async () => {
    const backup = join(folder, "backup.jsonl")
    const data = join(folder, "data")
    const shop = await startShop({ dataDir: data })
    await runServerCommand(["admin", "backup", "create", backup], { DATA_DIR: data })
    await shop.stop()
    for (const name of readdirSync(data)) if (name.startsWith("boxoffice.db")) rmSync(join(data, name))
    const env = { DATA_DIR: data, PORT: "0", SANDBOX_PORT: "0" }
    const { exitCode, errorOutput } = await runServerCommand([], env)
    expect(exitCode).toBe(1)
    expect(errorOutput).toMatch(/no database in boxoffice\.db, but local-secrets\.json.*restore FILE/)
    expect((await runServerCommand(["admin", "backup", "restore", backup], env)).exitCode).toBe(0)
    await (await startShop({ dataDir: data })).stop()
  },
)

test("a database with a newer schema stops the start with an error and stays unchanged", async () => {
  const file = join(folder, "boxoffice.db")
  const newer = new DatabaseSync(file)
  newer.exec("create table kysely_migration (name text, timestamp text)")
  newer.exec("insert into kysely_migration values ('9999-later', '2030-01-01')")
  newer.close()
  const before = readFileSync(file)
  const { exitCode, errorOutput } = await runServerCommand([], {
    DATA_DIR: folder,
    PORT: "0",
    SANDBOX_PORT: "0",
  })
  expect(exitCode).toBe(1)
  expect(errorOutput).toMatch(/did not start\. Database schema 9999-later is newer/)
  expect(errorOutput).not.toMatch(/^\s+at /m)
  expect(readFileSync(file).subarray(100)).toEqual(before.subarray(100))
})

for (const taken of ["PORT", "SANDBOX_PORT"]) {
  test(`with a ${taken} in use the shop does not start and prints the port`, deep, async () => {
    const shop = await startShop()
    const port = new URL(taken === "PORT" ? shop.url : shop.sandboxUrl).port
    const free = { PORT: String(await freePort()), SANDBOX_PORT: String(await freePort()) }
    const ended = await runServerCommand([], { DATA_DIR: folder, ...free, [taken]: port })
    expect(ended.exitCode).toBe(1)
    expect(ended.errorOutput).toMatch(/did not start/)
    expect(ended.errorOutput).toContain(port)
    await shop.stop()
  })
}

test("the log of a purchase contains no secret and no personal data", async () => {
  const shop = await startShop({ env: { LOG_LEVEL: "trace" } })
  const browser = new Browser({ "user-agent": "Agent-of-Ana" })
  await browser.visit(`${shop.url}/checkout/?email=ana%40example.test&promocode=WELCOME10`)
  const success = await waitForAccess(
    await payAt(await goToGateway(await chooseAndPay(browser, { shop, email: EMAIL }))),
  )
  await success.follow(/playlist\.m3u8\?line=[\w-]+$/)
  const storedSecrets = JSON.parse(readFileSync(join(shop.dataDir, "local-secrets.json"), "utf8"))
  const { coinbase, cryptomus, btcpay, ...others } = storedSecrets
  const secrets: Record<string, string> = { ...others, ...coinbase, ...cryptomus, ...btcpay }
  const log = shop.logLines()
  expect(log.filter(({ msg }) => msg === "request completed").length).toBeGreaterThan(7)
  const output = shop.output()
  for (const secret of [/ana(@|%40)/i, /cookie/i, /\?/, /WELCOME10/, /Agent-of-Ana/, /whsec_/]) {
    expect(output).not.toMatch(secret)
  }
  const hidden = Object.values({ ...accessOn(success), host: "cookie", ...secrets })
  expect(hidden).toHaveLength(15)
  for (const secret of hidden) expect(output).not.toContain(secret)
  await shop.stop()
})

test("the operator reads orders and changes the catalogue while the shop runs", deep, async () => {
  const shop = await startShop({ dataDir: folder })
  const admin = (...args: string[]) => runServerCommand(["admin", ...args], { DATA_DIR: folder })
  expect((await admin("orders", "list")).output).toBe("No orders.\n")

  await waitForAccess(
    await payAt(await goToGateway(await chooseAndPay(new Browser(), { shop, email: EMAIL }))),
  )
  const [order] = readStoredRows(folder).orders
  const number = order?.id ?? ""
  expect((await admin("orders", "list")).output).toMatch(
    `${number}  active            79.00 EUR of 79.00 EUR  ana@`,
  )
  expect((await admin("orders", "list", "--status", "expired")).output).toBe("No orders.\n")
  const shown = (await admin("orders", "show", number)).output
  for (const part of ["Active  TV", "79.00 EUR  total", "placed", "handed-off", "paid", "provisioned"]) {
    expect(shown).toContain(part)
  }

  const file = join(folder, "prices.json")
  expect(await admin("catalogue", "export", file)).toMatchObject({
    exitCode: 0,
    output: `Catalogue written to ${file}.\n`,
  })
  writeFileSync(file, readFileSync(file, "utf8").replace('"79.00"', '"81.00"'))
  expect((await admin("catalogue", "import", file)).exitCode).toBe(0)
  await expect.poll(async () => (await new Browser().visit(`${shop.url}/checkout/`)).text).toContain("€81.00")
  writeFileSync(file, "{}")
  expect((await admin("catalogue", "import", file)).exitCode).toBe(1)
  expect((await admin("sing")).exitCode).toBe(2)
  await shop.stop()
})
