import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { localSecrets } from "./generated-secrets.server"

const folder = mkdtempSync(join(tmpdir(), "secrets-"))
const file = join(folder, "local-secrets.json")
afterAll(() => rmSync(folder, { recursive: true }))

test("secrets generated at the first start are reused at the next", () => {
  const first = localSecrets(folder)
  expect(localSecrets(folder)).toEqual(first)
  expect(first.cryptomus.merchant).toMatch(/^[0-9a-f-]{36}$/)
  expect(first.cryptomus.paymentKey).toMatch(/^[\w-]{64}$/)
})

test("a secrets file of a version with fewer gateways keeps its secrets and gains the missing ones", () => {
  const { cryptomus, ...earlier } = localSecrets(folder)
  writeFileSync(file, JSON.stringify(earlier))
  const { cryptomus: added, ...stored } = localSecrets(folder)
  expect(stored).toEqual(earlier)
  expect(added).not.toEqual(cryptomus)
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ ...stored, cryptomus: added })
})

test.each([
  ["cut off", (whole: string) => whole.slice(0, 40)],
  ["of another program", () => '{"session":7}'],
])("a secrets file that is %s is refused without quoting it, and stays unchanged", (_, damage) => {
  const { session } = localSecrets(folder)
  const whole = readFileSync(file, "utf8")
  writeFileSync(file, damage(whole))
  expect(() => localSecrets(folder)).toThrow(`Invalid DATA_DIR ${folder}: local-secrets.json is damaged`)
  expect(() => localSecrets(folder)).not.toThrow(session.slice(0, 8))
  expect(readFileSync(file, "utf8")).toBe(damage(whole))
  writeFileSync(file, whole)
})

test("a secrets file that cannot be read is refused with variable, file and reason", () => {
  const strange = mkdtempSync(join(tmpdir(), "secrets-"))
  mkdirSync(join(strange, "local-secrets.json"))
  expect(() => localSecrets(strange)).toThrow(/^Invalid DATA_DIR .*local-secrets\.json: EISDIR/)
  rmSync(strange, { recursive: true })
})
