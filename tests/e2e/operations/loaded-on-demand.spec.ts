import { generateKeyPairSync } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { expect } from "playwright/test"
import { z } from "zod"
import { serverProgram } from "../../../scripts/setup/prepare.mjs"
import { startShop } from "../../support/server/server-process"
import { test } from "../shop-test"

/** A public shop with real gateways. At the start it requests coins of two of them, whose port is closed. */
const REAL_GATEWAYS = {
  PUBLIC_URL: "https://shop.example",
  SESSION_SECRETS: "x".repeat(32),
  GATEWAYS: "offshore-coinbase-btcpay-cryptomusgateway",
  OFFSHORE_URL: "https://pay.example",
  OFFSHORE_CALLBACK_SECRET: "whsec_dGhlLXNlY3JldC1iZWZvcmUtcm90YXRpb24tMzItYnl0ZXMh",
  COINBASE_KEY_ID: "key",
  COINBASE_KEY_SECRET: generateKeyPairSync("ec", { namedCurve: "P-256" })
    .privateKey.export({ format: "pem", type: "pkcs8" })
    .toString(),
  COINBASE_WEBHOOK_SECRET: "hook",
  BTCPAY_URL: "http://127.0.0.1:9",
  BTCPAY_STORE: "store",
  BTCPAY_KEY: "key",
  BTCPAY_WEBHOOK_SECRET: "hook",
  CRYPTOMUS_URL: "http://127.0.0.1:9/v1",
  CRYPTOMUS_MERCHANT: "m-1",
  CRYPTOMUS_PAYMENT_KEY: "key-1",
}

let folder: string
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loaded-modules-"))
})
test.afterEach(() => rmSync(folder, { recursive: true }))

const Manifest = z.record(z.string(), z.object({ file: z.string(), isDynamicEntry: z.boolean().optional() }))

/** The chunk that holds the sandbox, by the manifest of the server's build. */
function sandboxChunk(): string {
  const file = join(dirname(serverProgram), ".vite", "manifest.json")
  const chunk = Manifest.parse(JSON.parse(readFileSync(file, "utf8")))["app/sandbox/sandbox.server.ts"]
  expect(chunk).toMatchObject({ isDynamicEntry: true })
  return chunk?.file ?? ""
}

/** Text that only modules of the sandbox contain: its database and its payment page. */
const SANDBOX_TEXT = /INSERT INTO reports|Sends 80% of the amount/

/** Starts and stops a shop; returns the URLs of the modules that it loaded. */
async function modulesLoadedWith(env: Record<string, string>): Promise<string[]> {
  const LOADED_MODULES = join(folder, "loaded")
  const hook = new URL("../../support/server/record-loaded-modules.mjs", import.meta.url).href
  const shop = await startShop({ env: { NODE_OPTIONS: `--import=${hook}`, LOADED_MODULES, ...env } })
  expect(await shop.stop()).toBe(0)
  return readFileSync(LOADED_MODULES, "utf8").split("\n")
}

/** The files of the build that a shop loads. */
async function filesLoadedWith(env: Record<string, string>): Promise<string[]> {
  const built = pathToFileURL(dirname(serverProgram)).href
  const urls = await modulesLoadedWith(env)
  return urls.filter((url) => url.startsWith(`${built}/`)).map((url) => basename(url))
}

function withSandboxText(files: readonly string[]): string[] {
  return files.filter((file) => SANDBOX_TEXT.test(readFileSync(join(dirname(serverProgram), file), "utf8")))
}

test("a public shop with real gateways loads no byte of the sandbox", async () => {
  const files = await filesLoadedWith(REAL_GATEWAYS)
  expect(files).toContain("index.js")
  expect(files).not.toContain(sandboxChunk())
  expect(withSandboxText(files)).toEqual([])
})

test("a shop in test mode loads the chunk of the sandbox, which alone holds it", async () => {
  const files = await filesLoadedWith({})
  expect(files).toContain(sandboxChunk())
  expect(withSandboxText(files)).toEqual([sandboxChunk()])
})

test("V8 needs one byte for each character of the server's files", async () => {
  const files = await filesLoadedWith({})
  expect(files.length).toBeGreaterThan(10)
  const isWide = (file: string) => /[^\0-\xff]/.test(readFileSync(join(dirname(serverProgram), file), "utf8"))
  expect(files.filter(isWide)).toEqual([])
})

/** Packages that are loaded with their first use, and why a shop in test mode has none of it at its start. */
const ofFirstUse = {
  nodemailer: "the first message",
  "smtp-server": "the first message to the sandbox's mailbox",
  "postal-mime": "the first look at the mailbox",
  stdnum: "the first number for tax",
  maxmind: "a table of countries in COUNTRY_TABLE",
  pg: "PostgreSQL",
  entities: "WHMCS",
  pdfkit: "the first document",
  "fast-png": "the first document",
  xmlbuilder2: "the first electronic invoice",
  "prom-client": "METRICS_PORT",
}

test("a shop loads what it may never use with the first use", async () => {
  const modules = await modulesLoadedWith({})
  const isOf = (name: string) => modules.some((url) => url.includes(`/node_modules/${name}/`))
  expect(isOf("pino")).toBe(true)
  expect(Object.keys(ofFirstUse).filter(isOf)).toEqual([])
})
