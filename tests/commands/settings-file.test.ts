import { readdirSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"

const inFolder = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(mjs|ts)$/.test(name))
    .map((name) => `${folder}/${name}`)

test("only npm start and the admin CLI read .env: no test, bench or soak does", () => {
  const files = ["package.json", "vitest.config.ts", ...inFolder("scripts"), ...inFolder("tests")]
  const readers = files.filter((file) => /settingsFile\b|env-file=/.test(readFileSync(file, "utf8")))
  expect(readers.filter((file) => file !== "tests/commands/settings-file.test.ts")).toEqual([
    "scripts/commands/admin.mjs",
    "scripts/commands/start.mjs",
    "scripts/setup/prepare.mjs",
  ])
})
