import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pino from "pino"
import { expect, onTestFinished, test } from "vitest"
import { readConfig } from "~/config/config.server"
import { startWhmcs } from "../../tests/fakes/whmcs-simulator/start"
import { wire } from "./services.server"

test("an invalid playlist template stops the start before anything is written", async () => {
  const folder = mkdtempSync(join(tmpdir(), "boxoffice-start-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [page, data] = [join(folder, "channels.m3u"), join(folder, "data")]
  writeFileSync(page, "<!DOCTYPE html>")
  const config = readConfig({ DATA_DIR: data, PLAYLIST_TEMPLATE_FILE: page })
  await expect(wire(config, pino({ level: "silent" }), {})).rejects.toThrow(`PLAYLIST_TEMPLATE_FILE ${page}`)
  expect(existsSync(data)).toBe(false)
})

test("a CURRENCY without a price in WHMCS stops the start", async () => {
  const folder = mkdtempSync(join(tmpdir(), "boxoffice-start-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const whmcs = await startWhmcs({ currencies: ["USD"] })
  onTestFinished(() => whmcs.close())
  const { identifier, secret } = whmcs.settings
  const config = readConfig({
    DATA_DIR: folder,
    BILLING: "whmcs",
    WHMCS_URL: whmcs.url,
    WHMCS_IDENTIFIER: identifier,
    WHMCS_SECRET: secret,
    WHMCS_PLANS: "group:1",
    CURRENCY: "EUR",
  })
  await expect(wire(config, pino({ level: "silent" }), {})).rejects.toThrow("Invalid CURRENCY EUR")
})
