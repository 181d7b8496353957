import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { localSecrets } from "./generated-secrets.server"

const folder = mkdtempSync(join(tmpdir(), "secrets-"))
const file = join(folder, "local-secrets.json")
afterAll(() => rmSync(folder, { recursive: true }))

test("secrets made up at the first start are the same at the next", () => {
  const first = localSecrets(folder)
  expect(localSecrets(folder)).toEqual(first)
  expect(first.cryptomus.merchant).toMatch(/^[0-9a-f-]{36}$/)
  expect(first.cryptomus.paymentKey).toMatch(/^[\w-]{64}$/)
})

test("a shop that knew fewer gateways keeps its secrets and gets those it lacks", () => {
  const { cryptomus, ...earlier } = localSecrets(folder)
  writeFileSync(file, JSON.stringify(earlier))
  const { cryptomus: added, ...stored } = localSecrets(folder)
  expect(stored).toEqual(earlier)
  expect(added).not.toEqual(cryptomus)
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ ...stored, cryptomus: added })
})
