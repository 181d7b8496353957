import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { parseLine } from "~/cli/command-line.server"
import { readConfig } from "~/config/config.server"
import { EnvironmentSchema } from "~/config/environment.server"
import { currentDocuments as documents, shellBlocksIn } from "./shell-blocks"

/** The code of a page: its shell blocks and the texts between backticks. */
function codeIn(file: string): string {
  const prose = readFileSync(file, "utf8").replace(/^ *```[\s\S]*?^ *```/gm, "")
  const inline = [...prose.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code.replace(/\s#.*$/gm, ""))
  return [...shellBlocksIn(file).flatMap(({ lines }) => lines), ...inline].join("\n")
}

const code = documents.map((file) => [file, codeIn(file)] as const)

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> }

test.each(code)("every npm script that %s names exists", (_, text) => {
  const named = [
    ...text.matchAll(/\bnpm (?:run (?:--silent )?)?(start|test|(?<=run (?:--silent )?)[\w:][\w:-]*)/g),
  ].map(([, name = ""]) => name)
  expect(named.filter((name) => !(name in scripts))).toEqual([])
})

/** Values for the placeholders of a command. */
const values: Record<string, string> = {
  EMAIL: "ana@example.test",
  FILE: "file.json",
  N: "1001",
  NOUN: "orders",
  VERB: "list",
}

/** The arguments of the operator's commands in a page, with values instead of placeholders. */
function adminLines(text: string): string[][] {
  const lines = [...text.matchAll(/\b(?:npm run (?:--silent )?admin --|index\.js admin) ([^\n`)&|;>]+)/g)]
  return lines
    .map(([, line = ""]) =>
      line
        .replace(/"[^"]*"/g, "text")
        .replace(/…|\.{3}/g, "")
        .trim(),
    )
    .filter((line) => line !== "")
    .map((line) => line.split(/\s+/).map((word) => values[word] ?? word))
}

test.each(code)("every operator's command that %s names can be parsed, by its present name", (_, text) => {
  const failing = adminLines(text).filter((line) => {
    const warnings: string[] = []
    const parsed = parseLine(line, (notice) => warnings.push(notice))
    return warnings.length > 0 || (!("command" in parsed) && parsed.exitCode !== 0)
  })
  expect(failing).toEqual([])
})

test("the documents name the operator's commands", () => {
  expect(code.flatMap(([, text]) => adminLines(text)).length).toBeGreaterThan(10)
})

/** Of a locale that the machine does not have, such as one that came with an SSH session, a shell warns. */
const withoutLocale = { ...process.env, LC_ALL: "C" }

test.each(documents)("the shell blocks of %s are valid", (file) => {
  const failing = shellBlocksIn(file).flatMap(({ text }) =>
    spawnSync("bash", ["-n"], { input: text, env: withoutLocale }).stderr.toString(),
  )
  expect(failing.filter((message) => message !== "")).toEqual([])
})

/** Variables of the blocks that are not the shop's: of Docker Compose, Node, the simulator and the shell itself. */
const others = ["KEY", "LISTEN", "NODE_ENV", "NODE_OPTIONS", "TEST_SEED", "VERSION"]

test.each(documents)("every variable that the shell blocks of %s set exists", (file) => {
  const set = shellBlocksIn(file).flatMap(({ text }) => [...text.matchAll(/\b([A-Z][A-Z_]+)=/g)])
  const known = [...Object.keys(EnvironmentSchema.shape), ...others]
  expect(set.map(([, name = ""]) => name).filter((name) => !known.includes(name))).toEqual([])
})

test("the blocks that a test can run are marked to be run", () => {
  const marked = documents.filter((file) => shellBlocksIn(file).some(({ mark }) => mark === "run"))
  expect(marked.length).toBeGreaterThanOrEqual(8)
})

describe("the settings of a public shop in README.md", () => {
  const [block] = shellBlocksIn("README.md").filter(({ text }) => text.includes("PUBLIC_URL="))
  const settings = Object.fromEntries(
    (block?.lines ?? []).map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  )
  // What the page leaves out.
  const secrets = {
    SESSION_SECRETS: "a secret of at least thirty-two characters",
    OFFSHORE_CALLBACK_SECRET: `whsec_${Buffer.alloc(32, 1).toString("base64")}`,
  }
  const complete = Object.assign({}, settings, secrets)

  test("are enough", () => {
    expect(Object.keys(settings)).toContain("OFFSHORE_URL")
    expect(readConfig(complete).PUBLIC_URL).toBe("https://shop.example")
  })

  // Without `PUBLIC_URL` it is a shop on loopback, which needs no settings.
  const needed = Object.keys(settings).filter((name) => name !== "PUBLIC_URL")
  test.each(needed)("include %s, without which the shop does not start", (name) => {
    expect(() => readConfig(Object.assign({}, complete, { [name]: "" }))).toThrow(name)
  })
})
