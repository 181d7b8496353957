import { readdirSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { errorCodes } from "~/billing-api/contract/error-codes"
import { FORMER_PROGRAM, formerCommands, formerNouns, formerOptions } from "~/cli/former-commands"
import { allCommands } from "~/cli/grammar.server"
import { formerVariables } from "~/config/former-variables"
import { formerScripts } from "../../scripts/setup/former-scripts.mjs"
import {
  formerAlerts,
  formerErrorCodes,
  formerLogMessages,
  formerMetrics,
  formerOutcomes,
  formerScriptVariables,
  formerStoredNames,
} from "./former-names"
import { logCalls } from "./log-calls"

type TextFile = { readonly file: string; readonly text: string }

const UPGRADING = readFileSync("docs/upgrading.md", "utf8")

/** Files that may contain former names: the tables, their tests, and the documentation of earlier releases. */
const RECORDS = [
  "CHANGELOG.md",
  "app/cli/former-commands.db.test.ts",
  "app/cli/former-commands.ts",
  "app/config/former-variables.test.ts",
  "app/config/former-variables.ts",
  "docs/upgrading.md",
  "scripts/setup/former-scripts.mjs",
  "tests/architecture/former-identifiers.ts",
  "tests/architecture/former-names.ts",
  "tests/architecture/former-names.test.ts",
  "tests/e2e/operations/former-names.spec.ts",
]

/** The text files of the project that operators and developers read. */
function textFiles(): TextFile[] {
  const folders = ["app", "docs", "ops", "scripts", "tests"]
  const below = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
  )
  return [...readdirSync("."), ...below]
    .filter((file) => /\.(ts|tsx|mjs|jsonc?|md|ya?ml|env|conf)$|Dockerfile$/.test(file))
    .filter((file) => !RECORDS.includes(file) && file !== "package-lock.json")
    .map((file) => ({ file, text: readFileSync(file, "utf8") }))
}

const files = textFiles()

/** `file: name` for each name that a file contains as a whole word. */
function occurrences(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const word = new RegExp(`(?<![\\w-])${name}(?![\\w-])`)
    // Most files have none of the names, and finding that out without an expression is ten times as fast.
    return files
      .filter(({ text }) => text.includes(name) && word.test(text))
      .map(({ file }) => `${file}: ${name}`)
  })
}

test("the search covers the files that could contain a former name", () => {
  const read = files.map(({ file }) => file)
  expect(read).toEqual(
    expect.arrayContaining([
      "app/routes.ts",
      "ops/prometheus-rules.yml",
      "compose.yaml",
      "Dockerfile",
      "README.md",
      "CONTRIBUTING.md",
      "docs/specification.md",
      "docs/gateways.md",
      "docs/operating.md",
    ]),
  )
})

test("no file contains the former name of a metric or alert", () => {
  expect(occurrences([...formerMetrics, ...formerAlerts])).toEqual([])
})

test("no file contains the former name of an environment variable", () => {
  const names = [...Object.keys(formerVariables), ...Object.keys(formerScriptVariables)]
  expect(occurrences(names)).toEqual([])
})

test("docs/upgrading.md has a row for every former environment variable", () => {
  const rows = Object.entries(formerVariables).map(([former, name]) => `| \`${former}\` | \`${name}\` |`)
  const scripts = Object.entries(formerScriptVariables).map(
    ([former, name]) => `\`${former}\` is \`${name}\``,
  )
  const upgrading = UPGRADING.replaceAll("\n", " ")
  expect([...rows, ...scripts].filter((row) => !upgrading.includes(row))).toEqual([])
})

/** Regular expressions for the ways in which documents, messages and tests write a command of the command line. */
function formsOf(command: string): string[] {
  const nouns = [...new Set([...allCommands().keys()].map((name) => name.split(" ")[0]))]
  return [
    `(?:npm run \\w+ --|index\\.js \\w+) ${command}(?![\\w-])`,
    `(?<![\\w-])(?<!\\b(?:${nouns.join("|")}) )${command} (?:NUMBER|EMAIL)(?!\\w)`,
    `"admin", "${command}"`,
    `command\\(["\x60]${command} `,
  ]
}

/** The same for a noun without a verb. */
function formsOfNoun(noun: string): string[] {
  const names = [...allCommands().keys()].filter((name) => name.startsWith(`${noun} `))
  const verbs = names.map((name) => name.slice(noun.length + 1)).join("|")
  return [
    `(?:npm run \\w+ --|index\\.js \\w+) ${noun}(?![\\w-])(?! (?:${verbs}|VERB)(?![\\w-]))`,
    `"admin", "${noun}"(?!, "(?:${verbs})")`,
    `command\\(["\x60]${noun}(?! (?:${verbs}|\\$\\{)|\\w)`,
  ]
}

test("no file contains the former name of a command, an option or an npm script", () => {
  const forms = [
    `npm run (?:${Object.keys(formerScripts).join("|")})(?![\\w-])`,
    `index\\.js"?,? "?${FORMER_PROGRAM}(?![\\w-])`,
    `\\["${FORMER_PROGRAM}", `,
    ...Object.keys(formerOptions).map((option) => `--${option}(?![\\w-])`),
    ...Object.keys(formerCommands).flatMap(formsOf),
    ...Object.keys(formerNouns).flatMap(formsOfNoun),
  ]
  const any = new RegExp(forms.join("|"))
  const found = files.flatMap(({ file, text }) => {
    const written = any.exec(text)
    return written ? [`${file}: ${written[0]}`] : []
  })
  expect(found).toEqual([])
})

test("docs/upgrading.md has a row for every former command, option and npm script", () => {
  const names = {
    [`node build/server/index.js ${FORMER_PROGRAM}`]: "node build/server/index.js admin",
    ...Object.fromEntries(
      Object.entries(formerScripts).map(([former, name]) => [`npm run ${former}`, `npm run ${name}`]),
    ),
    ...formerCommands,
    ...formerNouns,
    ...Object.fromEntries(
      Object.entries(formerOptions).map(([former, name]) => [`--${former}`, `--${name}`]),
    ),
  }
  const rows = Object.entries(names).map(([former, name]) => `| \`${former}\` | \`${name}\` |`)
  expect(rows.filter((row) => !UPGRADING.includes(row))).toEqual([])
})

/** Migrations, their fixtures, and the tests that write rows of older schemas. */
const OLDER_SCHEMAS =
  /^(app\/billing\/embedded\/(db\/(migrations\/|migrate\.db\.test)|backup\/restore\.db\.test)|tests\/fixtures\/migration-fixtures)/

test("only migrations and tests of older schemas contain former names of tables or columns", () => {
  expect(occurrences(formerStoredNames).filter((found) => !OLDER_SCHEMAS.test(found))).toEqual([])
})

test("the API has no former error code, and docs/upgrading.md has a row for each", () => {
  for (const [former, code] of Object.entries(formerErrorCodes)) {
    expect(errorCodes).not.toHaveProperty([former])
    expect(errorCodes).toHaveProperty([code])
    expect(UPGRADING).toContain(`| \`${former}\` | \`${code}\` |`)
  }
})

test("no log call has a former message, and no test expects one", () => {
  const former: readonly string[] = formerLogMessages
  const logged = logCalls().filter(({ message }) => message !== null && former.includes(message))
  expect(logged).toEqual([])
  const awaited = files.flatMap(({ file, text }) =>
    [...text.matchAll(/\bmsg(?:: | === |\)\.toBe\()"([^"]+)"/g)]
      .filter(([, message = ""]) => former.includes(message))
      .map(([written]) => `${file}: ${written}`),
  )
  expect(awaited).toEqual([])
})

test("docs/upgrading.md has a row for every former log message", () => {
  expect(formerLogMessages.filter((message) => !UPGRADING.includes(`\n| ${message} | `))).toEqual([])
})

test("no dashboard or rule selects a former outcome", () => {
  const ops = files.filter(({ file }) => file.startsWith("ops/")).map(({ text }) => text)
  for (const [metric, outcomes] of Object.entries(formerOutcomes)) {
    for (const [, selected = ""] of ops.join("\n").matchAll(new RegExp(`${metric}\\{([^}]*)\\}`, "g"))) {
      expect(selected).not.toMatch(new RegExp(`["|\\\\](${outcomes.join("|")})[|"\\\\]`))
    }
  }
})

test("docs/upgrading.md has a row for every former metric, alert and outcome", () => {
  const outcomes = Object.entries(formerOutcomes).flatMap(([metric, values]) =>
    values.map((value) => `| \`${metric}\` | \`${value}\` | `),
  )
  const names = [...formerMetrics, ...formerAlerts].map((name) => `| \`${name}\` | `)
  expect([...outcomes, ...names].filter((row) => !UPGRADING.includes(row))).toEqual([])
})
