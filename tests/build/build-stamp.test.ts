import { existsSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { buildInputs } from "../../scripts/build/build-stamp.mjs"

/** What starts a build: the script, and the configurations that the bundler reads. */
const STARTS = ["scripts/commands/build.mjs", "vite.config.ts", "react-router.config.ts"]

/** Files of the project that a file imports or names by a relative URL, such as a preloaded script. */
function namedBy(file: string): string[] {
  const text = readFileSync(file, "utf8")
  const names = [
    ...text.matchAll(/(?:from|import)\s+"(\.{1,2}\/[^"]+)"/g),
    ...text.matchAll(/new URL\("([^"]+)", import\.meta\.url\)/g),
  ].map(([, name = ""]) => join(dirname(file), name))
  return names.filter((name) => existsSync(name) && statSync(name).isFile())
}

test("every file that takes part in the build is in its stamp", () => {
  const files = new Set(STARTS)
  // Iterating a Set visits entries that are added on the way.
  for (const file of files) for (const name of namedBy(file)) files.add(name)
  expect([...files]).toEqual(
    expect.arrayContaining(["scripts/build/rename-font.mjs", "scripts/run/exit-with-parent.mjs"]),
  )
  const inputs = buildInputs()
  expect([...files].filter((file) => !inputs.includes(file) && !file.startsWith("node_modules/"))).toEqual([])
})

test("configuration, lock file, sources and public files are in the stamp, tests are not", () => {
  const inputs = buildInputs()
  expect(inputs).toEqual(
    expect.arrayContaining([
      "package.json",
      "package-lock.json",
      "tsconfig.json",
      "app/root.tsx",
      "public/favicon.svg",
    ]),
  )
  expect(inputs.filter((file) => file.includes(".test."))).toEqual([])
})
