import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { parseLine } from "~/cli/command-line.server"

const documents = execFileSync("git", ["ls-files", "*.md"], { encoding: "utf8" })
  .split("\n")
  .filter((file) => existsSync(file) && !/^(CHANGELOG|docs\/upgrading|tests\/fixtures)/.test(file))

/** The code of a page: its blocks and the texts between backticks, without line continuations and comments. */
function codeIn(file: string): string {
  const text = readFileSync(file, "utf8")
  const blocks = [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].map(([, block = ""]) => block)
  const inline = [...text.replace(/^ *```[\s\S]*?^ *```/gm, "").matchAll(/`([^`]+)`/g)].map(
    ([, code = ""]) => code,
  )
  return [...blocks, ...inline]
    .join("\n")
    .replace(/\\\n\s*/g, " ")
    .replace(/\s#.*$/gm, "")
}

const code = documents.map((file) => [file, codeIn(file)] as const)

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> }

test.each(code)("every npm script that %s names exists", (_, text) => {
  const named = [...text.matchAll(/\bnpm (?:run )?(start|test|(?<=run )[\w:]+)/g)].map(
    ([, name = ""]) => name,
  )
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
  return [...text.matchAll(/\b(?:npm run admin --|index\.js admin) ([^\n`)&|;>]+)/g)].map(([, line = ""]) =>
    line
      .replace(/"[^"]*"/g, "text")
      .replace(/…|\.{3}/g, "")
      .trim()
      .split(/\s+/)
      .map((word) => values[word] ?? word),
  )
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
